import type { Bucket, HealMessage } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { createLiveStream } from '../../lib/api/live-stream.ts'
import { loadedResult } from '../../lib/api/query-result.ts'
import { bucketsQuery } from '../../lib/data/buckets.ts'
import { useStore } from '../../lib/store.ts'
import { formatPercent, formatTimeLeft } from '../../lib/text/format.ts'
import { msg, useT } from '../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { EmptyState, ErrorState } from '../../ui/feedback/states.tsx'
import { ALL_BUCKETS, useBucketOrAllStream } from '../../ui/live/bucket-or-all.ts'
import { StartStop } from '../../ui/live/LiveButtons.tsx'
import { LiveFacts } from '../../ui/live/LiveFacts.tsx'
import { useLiveStream } from '../../ui/live/use-live-stream.ts'
import { Page } from '../../ui/page/Page.tsx'
import { DataTable, type TableTexts } from '../../ui/table/DataTable.tsx'
import { ProgressBar } from '../../ui/values/Gauge.tsx'
import { healColumns } from './columns.tsx'
import { HealChart } from './HealChart.tsx'
import { HealForm } from './HealForm.tsx'
import { HealProgress } from './HealProgress.tsx'
import css from './heal.module.css'
import {
  forgetHeal,
  type HealFormValues,
  type HealRow,
  healFormValues,
  healQuery,
  healRows,
  readHealFormValues,
  rememberHeal,
  showHealFormValues,
} from './heal-form-values.ts'

const texts: TableTexts = {
  name: msg('Items that are or were not green'),
  empty: msg('All items are green'),
  noMatch: msg('No row contains this text.'),
}

const healRowId = ({ id }: HealRow) => id

/** The keep-alive message is sent only once, as the original console does. */
const ONCE = { keepAlive: false }

/**
 * The page that checks the copies of objects and heals them. A heal continues when the page is left; a page that is opened again
 * shows it.
 */
export function HealPage() {
  const t = useT()
  const needs = useDisabledReason()
  useState(readHealFormValues)
  const chosen = useStore(healFormValues)
  const follows = useRef(false)
  // If the list cannot be read, only "all buckets" can be selected; the failed call is in the browser's log.
  const { data } = useQuery(bucketsQuery)
  const buckets = useMemo(() => data?.buckets.map(({ name }) => name) ?? [], [data])
  const bucket = chosen.bucket ?? ''
  const query = () => healQuery(chosen, chosen.force, follows.current)
  const one = useLiveStream('heal', () => ({ params: { bucket }, query: query() }), ONCE)
  const all = useLiveStream('healAll', () => ({ query: query() }), ONCE)
  const { stream, view: streamView, live, start: startOf } = useBucketOrAllStream(one, all)
  const nothing = follows.current && streamView.status === 'ended' && streamView.rows.length === 0
  const view = nothing ? { ...streamView, status: 'idle' as const } : streamView
  const possible = chosen.bucket !== null && (bucket === ALL_BUCKETS || buckets.includes(bucket))
  const last = view.rows.at(-1)?.message
  const rows = useMemo(() => healRows(view.rows), [view.rows])
  const share = last && live ? scannedShare(chosen, data?.buckets ?? [], last.objectsScanned) : undefined

  const start = () => {
    if (live || !possible) return
    follows.current = false
    showHealFormValues(chosen)
    if (chosen.force === 'stop') forgetHeal()
    else rememberHeal()
    startOf(bucket)
    // The option applies to this start only.
    healFormValues.set((old) => ({ ...old, force: 'none' }))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page is opened
  useEffect(() => {
    if (bucket === '') return
    follows.current = true
    // A link to the page has no choice in its URL.
    showHealFormValues(chosen)
    startOf(bucket)
  }, [])

  const stop = () => {
    stream.stop()
    forgetHeal()
    stopHeal(chosen)
  }

  return (
    <Page
      facts={
        <>
          <LiveFacts view={{ ...view, received: 0 }} />
          {live && (
            <span>{t('The heal continues when you leave this page. When you come back, it is shown again.')}</span>
          )}
        </>
      }
      actions={
        <Disabled reason={!live && needs('admin:Heal')}>
          <StartStop live={live} possible={possible} onStart={start} onStop={stop} />
        </Disabled>
      }
    >
      <HealForm buckets={buckets} disabled={live} onStart={start} />
      {share !== undefined && (
        <div className={css.progress}>
          <ProgressBar share={share} label={t('Objects scanned')} />
          <span>
            {t('{{share}} scanned', { share: formatPercent(share) })}
            {last && timeLeftText(last, share)}
          </span>
        </div>
      )}
      {last && (
        <>
          <HealProgress message={last} />
          <HealChart message={last} />
        </>
      )}
      {view.status === 'failed' ? (
        <ErrorState error={view.failure} onRetry={start} needs={{ action: 'admin:Heal' }} />
      ) : last ? (
        <DataTable
          name="heal"
          texts={texts}
          query={loadedResult(rows)}
          rowId={healRowId}
          columns={healColumns}
          sortable={false}
          filter={{ placeholder: msg('Search items'), text: ({ name }) => name }}
          empty={<EmptyState title={live ? t('All items so far are green') : t('All items are green')} />}
        />
      ) : view.status === 'ended' ? (
        <EmptyState title={t('The heal was stopped')} />
      ) : (
        <EmptyState title={live ? t('Waiting for the first items') : t('No heal was started on this page')}>
          {!live && t('Choose a bucket, then start. Missing or damaged copies are rebuilt from intact ones.')}
        </EmptyState>
      )}
    </Page>
  )
}

/** Stops the heal of the selected bucket and prefix on the server, even if another user started it. */
function stopHeal(chosen: HealFormValues): void {
  const query = healQuery(chosen, 'stop')
  if (chosen.bucket === ALL_BUCKETS) createLiveStream('healAll', () => ({ query }), ONCE).start()
  else createLiveStream('heal', () => ({ params: { bucket: chosen.bucket ?? '' }, query }), ONCE).start()
}

/** Returns `, 4 minutes left`; empty until there is enough progress for an estimate. */
function timeLeftText({ healDuration }: HealMessage, share: number): string {
  return healDuration < 5 || share < 0.01 ? '' : `, ${formatTimeLeft((healDuration / share) * (1 - share))}`
}

/** Returns the share of objects that were checked; undefined if their number is unknown. */
function scannedShare(
  { bucket, prefix, recursive }: HealFormValues,
  buckets: readonly Bucket[],
  scanned: number,
): number | undefined {
  const healed = bucket === ALL_BUCKETS ? buckets : prefix === '' ? buckets.filter(({ name }) => name === bucket) : []
  const objects = healed.reduce((sum, { objects = 0 }) => sum + objects, 0)
  // The scan includes versions, which the object count does not.
  return recursive && objects > 0 && scanned <= objects ? scanned / objects : undefined
}
