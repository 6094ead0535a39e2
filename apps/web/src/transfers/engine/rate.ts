/** How far back the average looks, in milliseconds. */
const WINDOW = 5000

/** Bytes a second as a moving average over the last five seconds. */
export class RateMeter {
  readonly #samples: { at: number; bytes: number }[] = []
  #since: number | undefined

  /** @param at milliseconds */
  add(bytes: number, at: number): void {
    this.#since ??= at
    if (bytes > 0) this.#samples.push({ at, bytes })
  }

  /** Falls to zero within the window when nothing moves any more. */
  rate(at: number): number {
    while (this.#samples[0] && this.#samples[0].at <= at - WINDOW) this.#samples.shift()
    const span = Math.min(WINDOW, at - (this.#since ?? at))
    // Under half a second a burst into socket buffers would show as the speed of memory.
    if (span < 500) return 0
    const bytes = this.#samples.reduce((sum, sample) => sum + sample.bytes, 0)
    return (bytes * 1000) / span
  }
}

/** Seconds until `bytes` have gone at `rate`; undefined when nothing moves. */
export function secondsLeft(bytes: number, rate: number): number | undefined {
  return rate > 0 ? Math.ceil(bytes / rate) : undefined
}
