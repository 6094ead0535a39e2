import { COUNTERS } from './widgets.ts'

/*
 * The numbers of a row. As sampled: the value. Coarser, of a gauge: least, mean, most, last; of a counter: increase, seconds in
 * which it was seen, last.
 */

/** A series' name in the history: its metric and its labels. */
export function keyOf(metric: string, labels: Readonly<Record<string, string>>): string {
  return JSON.stringify([metric, ...Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))])
}

export function readKey(key: string): { metric: string; labels: Record<string, string> } {
  const [metric, ...labels] = JSON.parse(key) as [string, ...[string, string][]]
  return { metric, labels: Object.fromEntries(labels) }
}

/** Whether a key is that of a series of a metric. */
export const isOf = (metric: string, key: string) => key.startsWith(`["${metric}"`)

/** How much a counter grew; one that is less than before began again at 0. */
export const increaseOf = (before: number, now: number) => (now >= before ? now - before : now)

/** Gathers the samples of one series into one row. */
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

  /** @param before the sample before, unless it is too long ago to say anything about the time between */
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

/** What a row says about its time: of a gauge the value, of a counter its last value and how it grew. */
export interface Point {
  /** Seconds since 1970. */
  time: number
  value: number
  /** The last value of the time that it stands for. */
  last: number
  increase: number
  /** Seconds that `increase` belongs to; 0: it is not known. */
  seconds: number
}

/** @param before the sample before; see `Gathered.add` */
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
