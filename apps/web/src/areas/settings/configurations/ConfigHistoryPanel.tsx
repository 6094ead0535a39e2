import { Button } from '@mantine/core'
import type { Output } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api/query.ts'
import { withData } from '../../../lib/api/query-result.ts'
import { change } from '../../../lib/changes/change.ts'
import { recordSaved } from '../../../lib/changes/server-restart.ts'
import { cx } from '../../../lib/cx.ts'
import { confirm } from '../../../lib/feedback/confirm.ts'
import type { PageTarget } from '../../../lib/navigation/pages.ts'
import { formatList } from '../../../lib/text/format.ts'
import { msg, t, useT } from '../../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { Link } from '../../../ui/controls/Link.tsx'
import { type Column, DataTable, type TableTexts } from '../../../ui/table/DataTable.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import css from '../settings.module.css'
import { RestoreDifference } from './RestoreDifference.tsx'

type Entry = Output<'listConfigHistory'>['entries'][number]

/** An entry with the previous value of each of its keys. */
interface HistoryRow extends Entry {
  rows: { name: string; key: string; before: string; now: string }[]
}

const targetName = ({ name, target }: { name: string; target: string }) => (target === '_' ? name : `${name}:${target}`)

/** Entries are listed newest first; the previous value of a key is in the next older entry of the same target. */
function historyRows({ entries }: Output<'listConfigHistory'>): HistoryRow[] {
  const last = new Map<string, Entry['changes'][number]>()
  const oldestFirst = entries.toReversed().map((entry): HistoryRow => {
    const rows = entry.changes.flatMap((changed) => {
      const name = targetName(changed)
      const then = new Map(last.get(name)?.key_values.map(({ key, value = '' }) => [key, value]))
      return changed.key_values
        .map(({ key, value = '' }) => ({ name, key, before: then.get(key) ?? '', now: value }))
        .filter(({ before, now }) => before !== now)
    })
    for (const changed of entry.changes) last.set(targetName(changed), changed)
    return { ...entry, rows }
  })
  return oldestFirst.reverse()
}

const texts: TableTexts = {
  name: msg('History'),
  empty: msg('Nothing has been changed yet.'),
  noMatch: msg('No changes match the filter.'),
}

const changeSummary = ({ changes }: Entry) => changes.map(targetName).join(', ')

const columns: Column<HistoryRow>[] = [
  {
    key: 'time',
    label: msg('Time'),
    width: 190,
    fixed: true,
    small: 'aside',
    cell: ({ time }) => (time === undefined ? '–' : <Time at={time} exact />),
  },
  { key: 'what', label: msg('Setting'), width: 180, small: 'title', value: changeSummary, cell: changeSummary },
  {
    key: 'rows',
    label: msg('Change'),
    sortable: false,
    small: 'whole',
    value: ({ rows }) => rows.map(({ key }) => key).join(', '),
    cell: ({ rows }) => {
      const text = rows.map(({ key, before, now }) => `${key} ${before || '–'} → ${now || '–'}`).join('; ') || '–'
      return (
        <span className="mono small" title={text}>
          {text}
        </span>
      )
    },
  },
  { key: 'user', label: msg('User'), width: 120, yields: 1, cell: ({ user }) => user ?? '–' },
]

/** The history of the configuration. Each entry can be restored. */
export function ConfigHistoryPanel({ back }: { back: { label: string; to: PageTarget } }) {
  const t = useT()
  const needs = useDisabledReason()
  const query = useQuery(q('listConfigHistory', {}))
  const rows = useQuery({ ...q('listConfigHistory', {}), select: historyRows })
  return (
    <>
      <div className={cx(css.panel, css.aboveTable)}>
        <Link to={back.to} className="link">
          {back.label}
        </Link>
        <h2>{t('History')}</h2>
      </div>
      <DataTable
        name="history"
        texts={texts}
        query={withData(query, rows.data)}
        needs={{ action: 'admin:ConfigUpdate' }}
        rowId={({ id }) => id}
        columns={columns}
        filter={{ placeholder: msg('Filter'), text: changeSummary }}
        actions={[
          {
            type: 'edit',
            label: msg('Restore'),
            onClick: askRestoreEntry,
            disabled: () => needs('admin:ConfigUpdate'),
          },
        ]}
        tools={
          <Disabled reason={rows.data?.length === 0 ? t('The history is empty') : needs('admin:ConfigUpdate')}>
            <Button size="xs" variant="danger" onClick={askClearHistory}>
              {t('Clear History')}
            </Button>
          </Disabled>
        }
      />
    </>
  )
}

function askRestoreEntry(row: HistoryRow) {
  confirm({
    title: t('Restore'),
    subject: changeSummary(row),
    body: (
      <>
        <p>{t('These values are set again. Secrets stay what they are now.')}</p>
        <p>{t('The history has no secrets: a target that was reset comes back without them.')}</p>
        <RestoreDifference changes={row.changes} />
      </>
    ),
    action: t('Restore'),
    run: () => change('restoreConfigHistory', { params: { id: row.id } }, { message: restoredMessage }),
  })
}

/** Says which secrets have to be entered again. */
function restoredMessage(answer: Output<'restoreConfigHistory'>): string {
  const saved = recordSaved(answer)
  const targets = answer.without_secrets.map((each) => `${targetName(each)} (${each.keys.join(', ')})`)
  if (targets.length === 0) return saved
  return `${saved} ${t('Enter the secrets again that it needs: {{targets}}', { targets: formatList(targets) })}`
}

function askClearHistory() {
  confirm({
    title: t('Clear History'),
    body: t('All entries are removed. The settings stay as they are.'),
    action: t('Clear History'),
    danger: true,
    run: () => change('clearConfigHistory', {}, { message: () => t('History cleared') }),
  })
}
