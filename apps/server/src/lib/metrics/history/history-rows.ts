import { COUNTER_METRICS } from '../series/widget-definitions.ts'

/*
 * The numbers of a row. As sampled: the value. Coarser levels have for a gauge: least, mean, most, last; for a counter:
 * increase, seconds that it covers, last.
 */

/** Returns a series' key in the history: its metric and labels. */
export function seriesKey(metric: string, labels: Readonly<Record<string, string>>): string {
  return JSON.stringify([metric, ...Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))])
}

export function parseSeriesKey(key: string): { metric: string; labels: Record<string, string> } {
  const [metric, ...labels] = JSON.parse(key) as [string, ...[string, string][]]
  return { metric, labels: Object.fromEntries(labels) }
}

/** Whether a key belongs to a series of a metric. */
export const isKeyOfMetric = (metric: string, key: string) => key.startsWith(`["${metric}"`)

/** Returns how much a counter grew; if it is less than before, it was reset to 0. */
export const counterIncrease = (before: number, now: number) => (now >= before ? now - before : now)

/** Collects the samples of one series into one row. */
export class RowBuilder {
  #count = 0
  #sum = 0
  #least = Number.POSITIVE_INFINITY
  #most = Number.NEGATIVE_INFINITY
  #last = Number.NaN
  #increase = 0
  #seconds = 0
  readonly #isCounter: boolean

  constructor(metric: string) {
    this.#isCounter = COUNTER_METRICS.has(metric)
  }

  /** @param before the previous sample, unless it is too long ago to count */
  add(value: number, before: { value: number; seconds: number } | undefined): void {
    this.#count++
    this.#sum += value
    this.#least = Math.min(this.#least, value)
    this.#most = Math.max(this.#most, value)
    this.#last = value
    if (!before) return
    this.#increase += counterIncrease(before.value, value)
    this.#seconds += before.seconds
  }

  /** Adds a row of the next finer level. */
  addRow(row: ArrayLike<number>): void {
    const [first = 0, second = 0, third = 0, last = third] = Array.from(row)
    this.#count++
    this.#last = last
    if (this.#isCounter) {
      this.#increase += first
      this.#seconds += second
    } else {
      this.#least = Math.min(this.#least, first)
      this.#sum += second
      this.#most = Math.max(this.#most, third)
    }
  }

  row(): number[] {
    return this.#isCounter
      ? [this.#increase, this.#seconds, this.#last]
      : [this.#least, this.#sum / this.#count, this.#most, this.#last]
  }
}

/**
 * What is read of a row. `value`: the value of a gauge over the row's time, or the last one of a counter. `last`: the last value.
 * `increase`: how much a counter grew, and in how many seconds.
 */
export type RowReading = 'value' | 'last' | 'increase'

/** Returns which number of a row of a coarser level is read. @param width numbers of the row */
export function readingIndex(reading: RowReading, width: number): number {
  if (width === 3) return reading === 'increase' ? 0 : 2
  return reading === 'value' ? 1 : 3
}
