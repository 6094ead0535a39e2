import type { Input, WatchEvent } from '@stowage/contract'
import { createStore } from '../../lib/store.ts'
import { ALL_BUCKETS } from '../../ui/live/one-or-all.ts'

export interface Choice {
  /** A bucket name or `ALL_BUCKETS`; null if none is selected. */
  bucket: string | null
  prefix: string
  suffix: string
  events: readonly WatchEvent[]
}

/** Kept when the page is left and opened again. */
export const choice = createStore<Choice>({
  bucket: null,
  prefix: '',
  suffix: '',
  events: ['put', 'get', 'delete'],
})

/** Reports whether a watch can be started: for all buckets, or for one in the list. */
export function canWatch({ bucket, events }: Choice, buckets: readonly string[]): boolean {
  return events.length > 0 && bucket !== null && (bucket === ALL_BUCKETS || buckets.includes(bucket))
}

/** Returns the query of the call. */
export function queryOf({ prefix, suffix, events }: Choice): NonNullable<Input<'watchAll'>['query']> {
  return { prefix, suffix, events: events.join(',') }
}
