import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { loadedResult } from '../../lib/api/query-result.ts'
import { bucketsQuery } from '../../lib/data/buckets.ts'
import { useStore } from '../../lib/store.ts'
import { msg, useT } from '../../lib/text/i18n.ts'
import { EmptyState, ErrorState } from '../../ui/feedback/states.tsx'
import { useBucketOrAllStream } from '../../ui/live/bucket-or-all.ts'
import { LiveButtons } from '../../ui/live/LiveButtons.tsx'
import { LiveFacts } from '../../ui/live/LiveFacts.tsx'
import { useLiveStream } from '../../ui/live/use-live-stream.ts'
import { Page } from '../../ui/page/Page.tsx'
import { DataTable, type TableTexts } from '../../ui/table/DataTable.tsx'
import { watchColumns } from './columns.tsx'
import { WatchForm } from './WatchForm.tsx'
import { canWatch, watchFormValues, watchQuery } from './watch-form-values.ts'
import { type WatchRow, watchRowText } from './watch-rows.ts'

const texts: TableTexts = {
  name: msg('Watch'),
  empty: msg('No Changes at this time'),
  noMatch: msg('No row contains this text.'),
}

const watchRowId = (row: WatchRow) => String(row.id)

/** The page with live events of the objects in a bucket or in all buckets. */
export function WatchPage() {
  const t = useT()
  const chosen = useStore(watchFormValues)
  // If the list cannot be read, only "all buckets" can be selected; the failed call is in the browser's log.
  const { data } = useQuery(bucketsQuery)
  const buckets = useMemo(() => data?.buckets.map(({ name }) => name) ?? [], [data])
  const bucket = chosen.bucket ?? ''
  const one = useLiveStream('watch', () => ({ params: { bucket }, query: watchQuery(chosen) }))
  const all = useLiveStream('watchAll', () => ({ query: watchQuery(chosen) }))
  const { stream, view, ofAll, live, start: startOf } = useBucketOrAllStream(one, all)
  const possible = canWatch(chosen, buckets)
  // Stop if the bucket was deleted.
  const gone = live && data !== undefined && !possible
  useEffect(() => {
    if (gone) stream.stop()
  }, [gone, stream])

  // Newest first, so that new events are visible without scrolling.
  const rows = useMemo(() => [...view.rows].reverse() as WatchRow[], [view.rows])
  const start = () => {
    if (!live && possible) startOf(bucket)
  }

  return (
    <Page
      facts={<LiveFacts view={view} />}
      actions={<LiveButtons stream={stream} view={view} possible={possible} onStart={start} file="watch" />}
    >
      <WatchForm buckets={buckets} disabled={live} onStart={start} />
      {view.status === 'failed' ? (
        <ErrorState
          error={view.failure}
          onRetry={start}
          needs={ofAll ? { action: 's3:ListenNotification' } : { action: 's3:ListenBucketNotification', bucket }}
        />
      ) : (
        <DataTable
          name="watch"
          texts={texts}
          query={loadedResult(rows)}
          rowId={watchRowId}
          columns={watchColumns}
          sortable={false}
          filter={{ placeholder: msg('Search rows'), text: watchRowText }}
          empty={
            <EmptyState title={t('No Changes at this time')}>
              {!live && t('Choose a bucket and kinds of event, then start. Events before the start are not shown.')}
            </EmptyState>
          }
        />
      )}
    </Page>
  )
}
