import { Button, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { call } from '../../../lib/api/api.ts'
import { invalidate } from '../../../lib/api/query.ts'
import { cx } from '../../../lib/cx.ts'
import { useSearchParam } from '../../../lib/navigation/navigate.ts'
import { formatDateTime } from '../../../lib/text/format.ts'
import { msg, useT } from '../../../lib/text/i18n.ts'
import { whileBusy } from '../../../ui/controls/while-busy.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { EmptyState } from '../../../ui/feedback/states.tsx'
import live from '../../../ui/live/live.module.css'
import bar from '../../../ui/live/log.module.css'
import { DataTable, type TableTexts } from '../../../ui/table/DataTable.tsx'
import css from '../logs.module.css'
import { AuditDrawer } from './AuditDrawer.tsx'
import { AuditSummaryPanel } from './AuditSummaryPanel.tsx'
import { auditColumns, auditRowId } from './audit-columns.tsx'
import { type AuditFilters, type AuditPageParam, auditFilterFields, auditQuery } from './audit-query.ts'
import { ExportAuditMenu } from './ExportAuditMenu.tsx'

const texts: TableTexts = {
  name: msg('Audit Logs'),
  empty: msg('There is no information with this criteria'),
  noMatch: msg('There is no information with this criteria'),
}

/** The audit records that storage servers have sent to the console. */
export function AuditLogs() {
  const t = useT()
  const [form, setForm] = useState<AuditFilters>({})
  const [asked, setAsked] = useState<AuditFilters>({})
  const [order = 'timeDesc', setOrder] = useSearchParam('order')
  const [openId, setOpenId] = useState<string>()
  const query = useInfiniteQuery({
    queryKey: ['searchLogs', asked, order],
    queryFn: async ({ pageParam, signal }) =>
      await call('searchLogs', { query: auditQuery(asked, order, pageParam), signal }),
    initialPageParam: { page: 0 } as AuditPageParam,
    // The last page has no cursor.
    getNextPageParam: ({ next }, _pages, { page }) =>
      next === undefined ? undefined : { page: page + 1, cursor: next },
  })
  const { data } = query
  const rows = useMemo(() => data?.pages.flatMap(({ results }) => results), [data])
  const searchedTo = data?.pages.at(-1)?.searched_to
  // A search that took too long goes on only if the user wants it, because it may find nothing for a long time.
  const hasNextPage = query.hasNextPage && searchedTo === undefined
  const open = rows?.find((row) => auditRowId(row) === openId)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked({ ...form })
    // The same search again loads the newest records.
    void query.refetch()
    void invalidate('summarizeLogs')
  }
  const narrow = (filters: AuditFilters) => {
    const next = { ...asked, ...filters }
    setForm(next)
    setAsked(next)
  }
  return (
    <>
      <form className={cx(bar.tools, css.filters)} onSubmit={submit} aria-label={t('Filters')}>
        <TextInput
          type="datetime-local"
          label={t('Start Time')}
          value={form.timeStart ?? ''}
          onChange={(event) => setForm({ ...form, timeStart: event.currentTarget.value })}
        />
        <TextInput
          type="datetime-local"
          label={t('End Time')}
          value={form.timeEnd ?? ''}
          onChange={(event) => setForm({ ...form, timeEnd: event.currentTarget.value })}
        />
        {auditFilterFields.map(({ field, label }) => (
          <TextInput
            key={field}
            label={t(label)}
            w={150}
            maxLength={1000}
            value={form[field] ?? ''}
            onChange={(event) => setForm({ ...form, [field]: event.currentTarget.value })}
          />
        ))}
        <div className={css.submit}>
          <Button type="submit" variant="filled">
            {t('Get Information')}
          </Button>
          <Button onClick={() => setOrder(order === 'timeAsc' ? undefined : 'timeAsc')}>
            {order === 'timeAsc' ? t('Oldest first') : t('Newest first')}
          </Button>
          <ExportAuditMenu filters={asked} order={order} />
        </div>
      </form>
      {/* What keeps the search from its answer usually affects the summary too: it is said once. */}
      {!query.isLoadingError && <AuditSummaryPanel filters={asked} onNarrow={narrow} />}
      {searchedTo !== undefined && (
        <Banner
          kind="info"
          edge
          action={
            query.hasNextPage && (
              <Button size="xs" {...whileBusy(query.isFetchingNextPage)} onClick={() => void query.fetchNextPage()}>
                {t('Search on')}
              </Button>
            )
          }
        >
          {t('The search took long, and stopped at {{time}}. There may be more records.', {
            time: formatDateTime(searchedTo),
          })}
        </Banner>
      )}
      <div className={live.split}>
        <div className={live.list}>
          <DataTable
            name="audit"
            texts={texts}
            query={{ ...query, data: rows, hasNextPage, fetchNextPage: query.fetchNextPage }}
            needs={{ action: 'admin:ConsoleLog' }}
            rowId={auditRowId}
            columns={auditColumns}
            sortable={false}
            onOpen={(row) => setOpenId(auditRowId(row))}
            openId={openId}
            empty={
              <EmptyState
                title={
                  searchedTo === undefined
                    ? t('There is no information with this criteria')
                    : t('No matching record was found so far')
                }
              >
                {t(
                  'In a filter, * matches any text and . any character. A backslash before them matches the character itself.',
                )}
              </EmptyState>
            }
          />
        </div>
        {open && <AuditDrawer row={open} onClose={() => setOpenId(undefined)} />}
      </div>
    </>
  )
}
