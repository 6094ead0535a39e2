import type { AuditRecord } from './audit-record.ts'
import type { AuditSelection, AuditSource } from './audit-source.ts'

/** Number of most frequent values in the answer, and maximum number of different values that are counted. */
const TOP = 10
const MAX_VALUES = 10_000
/** Maximum number of intervals in a histogram. */
const SPANS = 120
/** Possible lengths of an interval (seconds). */
const STEPS = [1, 5, 15, 60, 300, 900, 3600, 3 * 3600, 6 * 3600, 86_400, 7 * 86_400, 30 * 86_400]
/** Maximum duration of a summary (ms). */
const SUMMARY_MS = 8_000

export interface AuditSummary {
  total: number
  /** Seconds. */
  step: number
  /** `time` is seconds since 1970. */
  counts: { time: number; count: number; errors: number }[]
  users: ValueCount[]
  buckets: ValueCount[]
  calls: ValueCount[]
  /** The search stopped here because it took too long (ms since 1970). */
  searchedTo: number | undefined
}

interface ValueCount {
  value: string
  count: number
}

/** Counts records over time and by user, bucket and call, starting with the newest. */
export async function summaryOf(
  store: Pick<AuditSource, 'batches'>,
  selection: Omit<AuditSelection, 'newestFirst'>,
): Promise<AuditSummary> {
  const histogram = new Histogram()
  const [users, buckets, calls] = [new Tally(), new Tally(), new Tally()]
  let total = 0
  let searchedTo: number | undefined
  for await (const records of store.batches({ ...selection, newestFirst: true, brief: true }, SUMMARY_MS)) {
    for (const record of records) {
      total++
      histogram.add(record)
      users.add(record.user)
      buckets.add(record.bucket)
      calls.add(record.api)
    }
    searchedTo = records.searchedTo?.at
  }
  return { total, ...histogram.spans(), users: users.top(), buckets: buckets.top(), calls: calls.top(), searchedTo }
}

/** Counts records over time. Its intervals grow with the covered time, so that there are never too many. */
class Histogram {
  #level = 0
  #counts = new Map<number, { count: number; errors: number }>()
  #first = Number.POSITIVE_INFINITY
  #last = Number.NEGATIVE_INFINITY

  add({ at, statusCode }: AuditRecord): void {
    const seconds = at / 1000
    this.#first = Math.min(this.#first, seconds)
    this.#last = Math.max(this.#last, seconds)
    while (this.#last - this.#first > SPANS * this.#step && this.#level < STEPS.length - 1) this.#coarsen()
    this.#addTo(Math.floor(seconds / this.#step), 1, statusCode >= 400 ? 1 : 0)
  }

  spans(): Pick<AuditSummary, 'step' | 'counts'> {
    const step = this.#step
    const counts = [...this.#counts].sort(([a], [b]) => a - b).map(([slot, sums]) => ({ time: slot * step, ...sums }))
    return { step, counts }
  }

  get #step(): number {
    return STEPS[this.#level] ?? 1
  }

  #addTo(slot: number, count: number, errors: number): void {
    const sums = this.#counts.get(slot) ?? { count: 0, errors: 0 }
    this.#counts.set(slot, { count: sums.count + count, errors: sums.errors + errors })
  }

  #coarsen(): void {
    const [old, before] = [this.#counts, this.#step]
    this.#level++
    this.#counts = new Map()
    for (const [slot, { count, errors }] of old) this.#addTo(Math.floor((slot * before) / this.#step), count, errors)
  }
}

class Tally {
  readonly #counts = new Map<string, number>()

  add(value: string): void {
    if (value === '') return
    const known = this.#counts.get(value)
    // Values come from requests, so their number must be limited to protect the memory.
    if (known === undefined && this.#counts.size >= MAX_VALUES) return
    this.#counts.set(value, (known ?? 0) + 1)
  }

  top(): ValueCount[] {
    return [...this.#counts]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, TOP)
  }
}
