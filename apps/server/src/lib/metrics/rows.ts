import { COUNTERS } from './widgets.ts'

/*
 * The numbers of a row. As sampled: the value. Coarser levels have for a gauge: least, mean, most, last; for a counter:
 * increase, seconds that it covers, last.
 */

/** Returns a series' key in the history: its metric and labels. */
export function keyOf(metric: string, labels: Readonly<Record<string, string>>): string {
  return JSON.stringify([metric, ...Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))])
}

export function readKey(key: string): { metric: string; labels: Record<string, string> } {
  const [metric, ...labels] = JSON.parse(key) as [string, ...[string, string][]]
  return { metric, labels: Object.fromEntries(labels) }
}

/** Whether a key belongs to a series of a metric. */
export const isOf = (metric: string, key: string) => key.startsWith(`["${metric}"`)

/** Returns how much a counter grew; if it is less than before, it was reset to 0. */
export const increaseOf = (before: number, now: number) => (now >= before ? now - before : now)

/** Collects the samples of one series into one row. */
export class Gathered {
  #count = 0
  #sum = 0
  #least = Number.POSITIVE_INFINITY
  #most = Number.NEGATIVE_INFINITY
  #last = Number.NaN
  #increase = 0
  #seconds = 0
  readonly #isCounter: boolean

  constructor(metric: string) {
    this.#isCounter = COUNTERS.has(metric)
  }

  /** @param before the previous sample, unless it is too long ago to count */
  add(value: number, before: { value: number; seconds: number } | undefined): void {
    this.#count++
    this.#sum += value
    this.#least = Math.min(this.#least, value)
    this.#most = Math.max(this.#most, value)
    this.#last = value
    if (!before) return
    this.#increase += increaseOf(before.value, value)
    this.#seconds += before.seconds
  }

  row(): number[] {
    return this.#isCounter
      ? [this.#increase, this.#seconds, this.#last]
      : [this.#least, this.#sum / this.#count, this.#most, this.#last]
  }
}

/** A row's value at its time: a gauge's value, or a counter's last value and increase. */
export interface Point {
  /** Seconds since 1970. */
  time: number
  value: number
  /** The last value of the time that it stands for. */
  last: number
  increase: number
  /** Seconds that `increase` covers; 0 if unknown. */
  seconds: number
}

/** @param before the previous sample; see `Gathered.add` */
export function rawPoint(time: number, value: number, before: { value: number; seconds: number } | undefined): Point {
  return {
    time,
    value,
    last: value,
    increase: before ? increaseOf(before.value, value) : 0,
    seconds: before ? before.seconds : 0,
  }
}

export function gatheredPoint(time: number, row: readonly number[]): Point {
  const [first = 0, second = 0, third = 0, fourth = 0] = row
  return row.length === 3
    ? { time, value: third, last: third, increase: first, seconds: second }
    : { time, value: second, last: fourth, increase: 0, seconds: 0 }
}
