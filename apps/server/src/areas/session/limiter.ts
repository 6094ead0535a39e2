import { Lru } from '../../lib/lru.ts'

interface Failures {
  count: number
  /** ms since 1970; until then no further attempt counts. */
  blockedUntil: number
  last: number
}

export interface LimiterOptions {
  /** Failures that are free; each one after them doubles the wait. */
  free: number
  /** Longest wait in ms. */
  maxWaitMs: number
  /** Without a failure for this long, all is forgotten (ms). */
  forgetMs: number
  now?: () => number
}

/** Senders and keys remembered at once; the memory of one process. */
const ENTRIES = 10_000

/** Slows down who fails again and again: after some free failures the wait doubles with each one. */
export class Limiter {
  readonly #failures = new Lru<string, Failures>(ENTRIES)
  readonly #options: LimiterOptions
  readonly #now: () => number

  constructor(options: LimiterOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  /** Seconds until the next attempt is allowed; 0 is now. */
  waitSeconds(subject: string): number {
    const wait = (this.#failures.get(subject)?.blockedUntil ?? 0) - this.#now()
    return wait > 0 ? Math.ceil(wait / 1000) : 0
  }

  failed(subject: string): void {
    const now = this.#now()
    const { free, maxWaitMs, forgetMs } = this.#options
    const known = this.#failures.get(subject)
    const count = known && now - known.last < forgetMs ? known.count + 1 : 1
    const wait = count < free ? 0 : Math.min(maxWaitMs, 1000 * 2 ** Math.min(count - free, 20))
    this.#failures.set(subject, { count, blockedUntil: now + wait, last: now })
  }

  succeeded(subject: string): void {
    this.#failures.delete(subject)
  }
}
