import { Button } from '@mantine/core'
import type { TraceMessage } from '@stowage/contract'
import { IconFolderOpen } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import type { LiveRow } from '../../lib/api/live-stream.ts'
import { loadedResult } from '../../lib/api/query-result.ts'
import { toast } from '../../lib/feedback/toast.ts'
import { useStore } from '../../lib/store.ts'
import { msg, useT } from '../../lib/text/i18n.ts'
import { EmptyState, ErrorState } from '../../ui/feedback/states.tsx'
import { Icon } from '../../ui/icons/Icon.tsx'
import { loadableDialog } from '../../ui/lazy/loadable.tsx'
import { isStreamActive } from '../../ui/live/bucket-or-all.ts'
import { LiveButtons } from '../../ui/live/LiveButtons.tsx'
import { LiveFacts } from '../../ui/live/LiveFacts.tsx'
import css from '../../ui/live/live.module.css'
import { useLiveStream } from '../../ui/live/use-live-stream.ts'
import { Page } from '../../ui/page/Page.tsx'
import { DataTable, type TableTexts } from '../../ui/table/DataTable.tsx'
import { relatedTrace } from '../logs/request/request-steps.ts'
import { traceColumns } from './columns.tsx'
import { openTraceFile } from './open-trace-file.ts'
import { TraceForm } from './TraceForm.tsx'
import { TraceRecordDrawer } from './TraceRecordDrawer.tsx'
import { TraceSummary } from './TraceSummary.tsx'
import { traceFormValues, traceQuery } from './trace-form-values.ts'
import { type TraceRow, traceRowText } from './trace-rows.ts'

const texts: TableTexts = {
  name: msg('Trace'),
  empty: msg('No Traced elements received yet'),
  noMatch: msg('No row contains this text.'),
}

const RequestTimelineDialog = loadableDialog(
  async () => (await import('../logs/request/RequestTimelineDialog.tsx')).RequestTimelineDialog,
)

const traceRowId = (row: TraceRow) => String(row.id)

/** The page with the live trace of the storage server's operations. */
export function TracePage() {
  const t = useT()
  const chosen = useStore(traceFormValues)
  const { stream, view } = useLiveStream('trace', () => ({ query: traceQuery(chosen) }))
  const [opened, setOpened] = useState<{ name: string; rows: TraceRow[] }>()
  const [openId, setOpenId] = useState<number>()
  const [followedRequest, setFollowed] = useState<TraceMessage>()
  const file = useRef<HTMLInputElement>(null)

  const live = isStreamActive(view)
  const source: readonly LiveRow<TraceRow['message'] & object>[] | TraceRow[] = opened?.rows ?? view.rows
  // Newest first, so that new records are visible without scrolling.
  const rows = useMemo(() => [...source].reverse() as TraceRow[], [source])
  const openRow = rows.find(({ id }) => id === openId)

  const start = () => {
    setOpened(undefined)
    setOpenId(undefined)
    stream.start()
  }
  const open = async (chosenFile: File | undefined) => {
    if (!chosenFile) return
    try {
      stream.stop()
      setOpened({ name: chosenFile.name, rows: await openTraceFile(chosenFile) })
      setOpenId(undefined)
    } catch (error) {
      toast.failure(error instanceof Error ? error : new Error(String(error)))
    }
  }

  return (
    <Page
      facts={
        opened ? <span>{t('Records of the file {{name}}', { name: opened.name })}</span> : <LiveFacts view={view} />
      }
      actions={
        <>
          <input
            ref={file}
            type="file"
            hidden
            accept=".ndjson,.jsonl,.json,application/x-ndjson"
            onChange={(event) => {
              void open(event.currentTarget.files?.[0])
              event.currentTarget.value = ''
            }}
          />
          <Button
            className={css.hideSmall ?? ''}
            leftSection={<Icon of={IconFolderOpen} />}
            onClick={() => file.current?.click()}
          >
            {t('Open file')}
          </Button>
          <LiveButtons
            stream={stream}
            view={view}
            onStart={start}
            file="trace"
            messages={opened?.rows.flatMap(({ message }) => message ?? [])}
          />
        </>
      }
    >
      <TraceForm disabled={live} onStart={start} />
      {view.status === 'failed' && !opened ? (
        <ErrorState error={view.failure} onRetry={start} needs={{ action: 'admin:ServerTrace' }} />
      ) : (
        <>
          {rows.length > 0 && <TraceSummary rows={rows} live={live} />}
          <div className={css.split}>
            <div className={css.list}>
              <DataTable
                name="trace"
                texts={texts}
                query={loadedResult(rows)}
                rowId={traceRowId}
                columns={traceColumns}
                sortable={opened !== undefined}
                filter={{ placeholder: msg('Search rows'), text: traceRowText }}
                onOpen={(row) => row.message && setOpenId(row.id)}
                openId={openId === undefined ? undefined : String(openId)}
                empty={
                  view.status === 'idle' && !opened ? (
                    <EmptyState title={t('Trace is not started yet')}>
                      {t('Choose what to see, then start. Nothing is recorded while no trace runs.')}
                    </EmptyState>
                  ) : (
                    <EmptyState title={t('No Traced elements received yet')} />
                  )
                }
              />
            </div>
            {openRow?.message && (
              <TraceRecordDrawer
                record={openRow.message}
                onFollow={() => setFollowed(openRow.message)}
                onClose={() => setOpenId(undefined)}
              />
            )}
            {followedRequest && (
              <RequestTimelineDialog
                requestId={followedRequest.requestId}
                at={followedRequest.time}
                trace={relatedTrace(
                  followedRequest,
                  rows.flatMap(({ message }) => message ?? []),
                )}
                onClose={() => setFollowed(undefined)}
              />
            )}
          </div>
        </>
      )}
    </Page>
  )
}
