import type { HealedItem, HealMessage, Input } from '@stowage/contract'
import type { LiveRow } from '../../lib/api/live-stream.ts'
import { consoleBase } from '../../lib/base-path.ts'
import { browserHistory, replaceSearch } from '../../lib/navigation/navigate.ts'
import { createStore } from '../../lib/store.ts'
import { ALL_BUCKETS } from '../../ui/live/bucket-or-all.ts'

export interface HealFormValues {
  /** A bucket name or `ALL_BUCKETS`; null if none is selected. */
  bucket: string | null
  prefix: string
  recursive: boolean
  deep: boolean
  dryRun: boolean
  force: 'none' | 'start' | 'stop'
}

const DEFAULT_VALUES: HealFormValues = {
  bucket: null,
  prefix: '',
  recursive: true,
  deep: false,
  dryRun: false,
  force: 'none',
}

/** Kept when the page is left and opened again. What was started is in the URL too, which a reload keeps. */
export const healFormValues = createStore<HealFormValues>(DEFAULT_VALUES)

/** The key in local storage of the heal that was started last, for a page that is opened without a choice in its URL. */
const STORAGE_KEY = `stowage.heal ${consoleBase}`

/** Uses the choice in the URL, else the one made before in this page, else the one of the heal that was started last. */
export function readHealFormValues(): void {
  const { search } = browserHistory.location
  const inUrl = new URLSearchParams(search).has('bucket')
  if (!inUrl && healFormValues.get().bucket !== null) return
  const params = new URLSearchParams(inUrl ? search : (localStorage.getItem(STORAGE_KEY) ?? ''))
  const bucket = params.get('bucket')
  if (bucket === null) return
  healFormValues.set({
    bucket,
    prefix: params.get('prefix') ?? '',
    recursive: params.get('recursive') !== 'false',
    deep: params.get('deep') === 'true',
    dryRun: params.get('dryRun') === 'true',
    force: 'none',
  })
}

/** Remembers the heal that the URL describes. */
export function rememberHeal(): void {
  localStorage.setItem(STORAGE_KEY, browserHistory.location.search)
}

export function forgetHeal(): void {
  localStorage.removeItem(STORAGE_KEY)
}

export function showHealFormValues({ bucket, prefix, recursive, deep, dryRun }: HealFormValues): void {
  replaceSearch({
    bucket: bucket ?? undefined,
    prefix: bucket === ALL_BUCKETS ? undefined : prefix,
    recursive: recursive ? undefined : 'false',
    deep: deep ? 'true' : undefined,
    dryRun: dryRun ? 'true' : undefined,
  })
}

/**
 * Returns the query of the call.
 * @param force `start` replaces a heal that is already running, `stop` stops it
 * @param follow whether to start none, but show the one that was started before
 */
export function healQuery(
  { prefix, recursive, deep, dryRun, bucket }: HealFormValues,
  force: HealFormValues['force'],
  follow = false,
) {
  return {
    prefix: bucket === ALL_BUCKETS ? '' : prefix,
    recursive: String(recursive),
    'force-start': String(force === 'start'),
    'force-stop': String(force === 'stop'),
    'dry-run': String(dryRun),
    scan: deep ? 'deep' : 'normal',
    items: 'unhealthy',
    ...(follow ? { follow: 'true' } : {}),
  } satisfies NonNullable<Input<'healAll'>['query']>
}

export type HealRow = HealedItem & { id: string }

/** Returns the items of all messages so far, newest last. */
export function healRows(rows: readonly LiveRow<HealMessage>[]): HealRow[] {
  return rows.flatMap(({ message, id }) =>
    (message?.itemsHealthStatus ?? []).map((item, i) => ({ ...item, id: `${id}.${i}` })),
  )
}
