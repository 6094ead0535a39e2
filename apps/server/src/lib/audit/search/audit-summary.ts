import type { AuditCount, AuditCounts, AuditSelection, AuditSource } from './audit-source.ts'
import { chooseTimeStep } from './time-steps.ts'

/** Number of most frequent values in the answer, and maximum number of different values that are counted. */
const TOP = 10
const MAX_VALUES = 10_000
/** Maximum duration of a summary (ms). */
const SUMMARY_MS = 8_000

export interface AuditSummaryValues {
  total: number
  /** Seconds. */
  step: number
  /** `time` is seconds since 1970. */
  counts: { time: number; count: number; errors: number }[]
  users: ValueCount[]
  buckets: ValueCount[]
  calls: ValueCount[]
  /** Older records are not counted, because reading them took too long (ms since 1970; exact to a minute). */
  searchedTo: number | undefined
}

interface ValueCount {
  value: string
  count: number
}

/** Counts records over time and by user, bucket and call, starting with the newest. */
export async function summarizeAudit(
  store: Pick<AuditSource, 'batches' | 'counts'>,
  selection: Omit<AuditSelection, 'newestFirst'>,
): Promise<AuditSummaryValues> {
  const histogram = new Histogram()
  const [users, buckets, calls] = [new Tally(), new Tally(), new Tally()]
  let total = 0
  let searchedTo: number | undefined
  const query = { ...selection, newestFirst: true, brief: true }
  for await (const counts of store.counts?.(query, SUMMARY_MS) ?? countAuditRecords(store.batches(query, SUMMARY_MS))) {
    for (const each of counts) {
      total += each.count
      histogram.add(each)
      users.add(each.user, each.count)
      buckets.add(each.bucket, each.count)
      calls.add(each.api, each.count)
    }
    searchedTo ??= counts.searchedTo
  }
  return { total, ...histogram.intervals(), users: users.top(), buckets: buckets.top(), calls: calls.top(), searchedTo }
}

/** Counts each record as one. */
export async function* countAuditRecords(
  batches: ReturnType<AuditSource['batches']>,
): AsyncGenerator<AuditCounts, void> {
  for await (const records of batches) {
    const counts = records.map(({ at, user, bucket, api, statusCode }) => {
      return { at, step: 0, user, bucket, api, statusCode, count: 1 }
    })
    yield Object.assign(counts, { searchedTo: records.searchedTo?.at })
  }
}

/** Counts records over time. Its intervals grow with the covered time, so that there are never too many. */
class Histogram {
  #step = 1
  #counts = new Map<number, { count: number; errors: number }>()
  #first = Number.POSITIVE_INFINITY
  #last = Number.NEGATIVE_INFINITY

  add({ at, step, statusCode, count }: AuditCount): void {
    const seconds = at / 1000
    this.#first = Math.min(this.#first, seconds)
    this.#last = Math.max(this.#last, seconds)
    const wanted = Math.max(step, chooseTimeStep(this.#last - this.#first))
    if (wanted > this.#step) this.#coarsen(wanted)
    this.#addTo(Math.floor(seconds / this.#step), count, statusCode >= 400 ? count : 0)
  }

  intervals(): Pick<AuditSummaryValues, 'step' | 'counts'> {
    const step = this.#step
    const counts = [...this.#counts].sort(([a], [b]) => a - b).map(([slot, sums]) => ({ time: slot * step, ...sums }))
    return { step, counts }
  }

  #addTo(slot: number, count: number, errors: number): void {
    const sums = this.#counts.get(slot)
    if (!sums) return void this.#counts.set(slot, { count, errors })
    sums.count += count
    sums.errors += errors
  }

  #coarsen(step: number): void {
    const [old, before] = [this.#counts, this.#step]
    this.#step = step
    this.#counts = new Map()
    for (const [slot, { count, errors }] of old) this.#addTo(Math.floor((slot * before) / step), count, errors)
  }
}

class Tally {
  readonly #counts = new Map<string, number>()

  add(value: string, count: number): void {
    if (value === '') return
    const known = this.#counts.get(value)
    // Values come from requests, so their number must be limited to protect the memory.
    if (known === undefined && this.#counts.size >= MAX_VALUES) return
    this.#counts.set(value, (known ?? 0) + count)
  }

  top(): ValueCount[] {
    return [...this.#counts]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, TOP)
  }
}
