import type { Input, WatchEvent } from '@stowage/contract'
import { createStore } from '../../lib/store.ts'
import { ALL_BUCKETS } from '../../ui/live/bucket-or-all.ts'

export interface WatchFormValues {
  /** A bucket name or `ALL_BUCKETS`; null if none is selected. */
  bucket: string | null
  prefix: string
  suffix: string
  events: readonly WatchEvent[]
}

/** Kept when the page is left and opened again. */
export const watchFormValues = createStore<WatchFormValues>({
  bucket: null,
  prefix: '',
  suffix: '',
  events: ['put', 'get', 'delete'],
})

/** Reports whether a watch can be started: for all buckets, or for one in the list. */
export function canWatch({ bucket, events }: WatchFormValues, buckets: readonly string[]): boolean {
  return events.length > 0 && bucket !== null && (bucket === ALL_BUCKETS || buckets.includes(bucket))
}

/** Returns the query of the call. */
export function watchQuery({ prefix, suffix, events }: WatchFormValues): NonNullable<Input<'watchAll'>['query']> {
  return { prefix, suffix, events: events.join(',') }
}
