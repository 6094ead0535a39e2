import type { HealedItem, HealMessage, Input } from '@stowage/contract'
import { createStore } from '../../lib/store.ts'
import type { LiveRow } from '../../lib/stream.ts'
import { ALL_BUCKETS } from '../../ui/live/one-or-all.ts'

export interface Choice {
  /** A bucket name or `ALL_BUCKETS`; null if none is selected. */
  bucket: string | null
  prefix: string
  recursive: boolean
  deep: boolean
  dryRun: boolean
  force: 'none' | 'start' | 'stop'
}

/** Kept when the page is left and opened again. */
export const choice = createStore<Choice>({
  bucket: null,
  prefix: '',
  recursive: true,
  deep: false,
  dryRun: false,
  force: 'none',
})

/** Returns the query of the call. @param force whether to replace or stop a heal that is already running */
export function queryOf({ prefix, recursive, deep, dryRun, bucket }: Choice, force: Choice['force']) {
  return {
    prefix: bucket === ALL_BUCKETS ? '' : prefix,
    recursive: String(recursive),
    'force-start': String(force === 'start'),
    'force-stop': String(force === 'stop'),
    'dry-run': String(dryRun),
    scan: deep ? 'deep' : 'normal',
    items: 'unhealthy',
  } satisfies NonNullable<Input<'healAll'>['query']>
}

export type HealRow = HealedItem & { id: string }

/** Returns the items of all messages so far, newest last. */
export function itemsOf(rows: readonly LiveRow<HealMessage>[]): HealRow[] {
  return rows.flatMap(({ message, id }) =>
    (message?.itemsHealthStatus ?? []).map((item, i) => ({ ...item, id: `${id}.${i}` })),
  )
}
