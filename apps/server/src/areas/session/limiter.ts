import { LRUCache } from 'lru-cache'
import { Refusal } from '../../lib/http/errors.ts'

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
/** Attempts that wait for others of the same subject to end; what comes beyond is refused. */
const QUEUE = 100

/** Attempts of one subject that are under way, of which nobody knows yet how they end. */
interface Gate {
  running: number
  waiting: (() => void)[]
}

/** Slows down who fails again and again: after some free failures the wait doubles with each one. */
export class Limiter {
  readonly #failures = new LRUCache<string, Failures>({ max: ENTRIES })
  readonly #gates = new Map<string, Gate>()
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

  /**
   * Runs an attempt; no more of one subject at the same time than may still fail without a wait, so that many guesses at
   * once count like those one after the other. The others wait their turn.
   * @param isFailure whether an error of the attempt is a wrong guess
   * @throws Refusal 429 with the seconds to wait; what the attempt throws
   */
  async run<T>(subject: string, isFailure: (error: unknown) => boolean, attempt: () => Promise<T>): Promise<T> {
    const gate = await this.#enter(subject)
    try {
      return await attempt()
    } catch (error) {
      if (isFailure(error)) this.failed(subject)
      throw error
    } finally {
      gate.running--
      if (gate.running === 0) this.#gates.delete(subject)
      for (const look of gate.waiting.splice(0)) look()
    }
  }

  async #enter(subject: string): Promise<Gate> {
    for (;;) {
      const gate = this.#gates.get(subject) ?? { running: 0, waiting: [] }
      const seconds = this.waitSeconds(subject)
      if (seconds > 0) throw tooMany(seconds)
      const left = this.#options.free - (this.#failures.get(subject)?.count ?? 0)
      if (gate.running < Math.max(1, left)) {
        this.#gates.set(subject, gate)
        gate.running++
        return gate
      }
      if (gate.waiting.length >= QUEUE) throw tooMany(1)
      await new Promise<void>((resolve) => gate.waiting.push(resolve))
    }
  }
}

function tooMany(seconds: number): Refusal {
  return new Refusal(429, `Too many failed sign-ins. Please wait ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
}
