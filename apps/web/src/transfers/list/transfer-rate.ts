/** The period of the moving average (ms). */
const WINDOW_MS = 5000

/** Measures bytes per second as a moving average over the last five seconds. */
export class RateMeter {
  readonly #samples: { at: number; bytes: number }[] = []
  #since: number | undefined

  /** @param at milliseconds */
  add(bytes: number, at: number): void {
    this.#since ??= at
    if (bytes > 0) this.#samples.push({ at, bytes })
  }

  /** Returns the rate at a time (ms). Falls to zero within the window if no bytes are sent. */
  rate(at: number): number {
    while (this.#samples[0] && this.#samples[0].at <= at - WINDOW_MS) this.#samples.shift()
    const span = Math.min(WINDOW_MS, at - (this.#since ?? at))
    // In the first half second, bytes only fill socket buffers, which would show as an unrealistic speed.
    if (span < 500) return 0
    const bytes = this.#samples.reduce((sum, sample) => sum + sample.bytes, 0)
    return (bytes * 1000) / span
  }
}

/** Returns the seconds until `bytes` are sent at `rate`; undefined if the rate is 0. */
export function secondsLeft(bytes: number, rate: number): number | undefined {
  return rate > 0 ? Math.ceil(bytes / rate) : undefined
}
