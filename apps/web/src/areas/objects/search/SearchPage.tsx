import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { callLines } from '../../../lib/api/api.ts'
import { callAddress } from '../../../lib/api/call-address.ts'
import { q } from '../../../lib/api/query.ts'
import { loadedResult } from '../../../lib/api/query-result.ts'
import { browserHistory, navigate, replaceSearch } from '../../../lib/navigation/navigate.ts'
import { pathToFolder, pathToObject } from '../../../lib/navigation/object-address.ts'
import { useStore } from '../../../lib/store.ts'
import { msg, useT } from '../../../lib/text/i18n.ts'
import { EmptyState } from '../../../ui/feedback/states.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { Crumbs } from '../../../ui/page/Crumbs.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { DataTable, type TableTexts } from '../../../ui/table/DataTable.tsx'
import { SelectionActions, selectedEntriesText } from '../actions/SelectionActions.tsx'
import { useRowActions } from '../actions/use-row-actions.ts'
import { entryColumns } from '../entries/columns.tsx'
import type { FolderEntry } from '../entries/folder-entries.ts'
import { SearchForm } from './SearchForm.tsx'
import { SearchStatus } from './SearchStatus.tsx'
import { parseCriteria, type SearchCriteria, toSearchQuery } from './search-criteria.ts'
import { SearchRun } from './search-run.ts'

/** The number of results after which a search pauses; "Search on" continues it. */
const LIMIT = 10_000
const NOW = { at: undefined, deleted: false, date: undefined }

/** The page that searches a bucket on the server. The criteria are in the URL, so that a search can be linked to. */
export function SearchPage({ bucket }: { bucket: string }) {
  const t = useT()
  const [asked, setAsked] = useState<SearchCriteria>(() => parseCriteria(browserHistory.location.search))
  const [run] = useState(() => createSearch(bucket))
  const state = useStore(run.state)
  const versioning = useQuery({ ...q('getBucketVersioning', { params: { bucket } }), staleTime: 60_000 })
  const versioned = versioning.data?.is_versioned
  const actions = useRowActions(bucket, '', versioned, noPreview, NOW).filter(({ type }) => type !== 'preview')
  const columns = useMemo(() => entryColumns(bucket, NOW), [bucket])
  const search = (typed: SearchCriteria) => {
    setAsked(typed)
    replaceSearch(typed)
    void run.start(toSearchQuery(typed))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the URL that the page is opened with starts a search
  useEffect(() => {
    if (Object.entries(asked).some(([field, text]) => field !== 'prefix' && text !== ''))
      void run.start(toSearchQuery(asked))
    return () => run.stop()
  }, [run])
  const save = (format: 'csv' | 'ndjson') => {
    const link = document.createElement('a')
    link.href = callAddress('exportSearch', { params: { bucket }, query: { ...toSearchQuery(asked), format } })
    link.download = ''
    link.click()
  }
  return (
    <Page
      title={t('Search the bucket')}
      crumbs={
        <Crumbs
          items={[
            { label: t('All Buckets'), to: '/object-browser' },
            { label: bucket, to: pathToFolder(bucket), mono: true },
            { label: t('Search') },
          ]}
        />
      }
      facts={<span className="mono">{bucket}</span>}
      actions={
        <Menu>
          <Menu.Target>
            <Button
              leftSection={<Icon of={IconDownload} />}
              rightSection={<Icon of={IconChevronDown} />}
              disabled={state.state === 'idle'}
            >
              {t('Export')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => save('csv')}>{t('Everything found, as CSV')}</Menu.Item>
            <Menu.Item onClick={() => save('ndjson')}>{t('Everything found, as NDJSON')}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      }
    >
      <SearchForm initial={asked} running={state.state === 'running'} onSearch={search} onStop={() => run.stop()} />
      <SearchStatus run={state} onMore={() => void run.more()} onRetry={() => void run.start(toSearchQuery(asked))} />
      {state.state === 'idle' ? (
        <EmptyState title={t('Search every object of the bucket')}>
          {t('In a name, * matches any text and ? any character. Without them, the key must contain the text.')}
        </EmptyState>
      ) : (
        <DataTable
          name="found"
          texts={texts}
          query={loadedResult(state.rows)}
          rowId={entryKey}
          columns={columns}
          actions={actions}
          selection={{
            summary: selectedEntriesText,
            actions: (rows, clear) => (
              <SelectionActions
                bucket={bucket}
                prefix=""
                rows={rows}
                versioned={versioned}
                clear={() => {
                  run.remove(rows.map(entryKey))
                  clear()
                }}
                rewound={false}
              />
            ),
          }}
          onOpen={({ key }) => navigate(pathToObject(bucket, key))}
        />
      )}
    </Page>
  )
}

const createSearch = (bucket: string) =>
  new SearchRun((query, signal) =>
    callLines('searchObjects', { params: { bucket }, query: { ...query, limit: LIMIT }, signal }),
  )

const texts: TableTexts = {
  name: msg('Objects found'),
  empty: msg('No object fits.'),
  noMatch: msg('No object fits.'),
}
const entryKey = ({ key }: FolderEntry) => key
const noPreview = () => undefined
