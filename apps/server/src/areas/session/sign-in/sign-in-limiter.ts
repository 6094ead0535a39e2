import { hash } from 'node:crypto'
import { reason } from '@stowage/contract'
import { LRUCache } from 'lru-cache'
import { HttpError } from '../../../lib/errors/http-errors.ts'

/** A sign-in attempt: the access key and its caller. */
export interface SignInGuess {
  key: string
  /** The network of the caller, or the device when it has signed in with this key before. */
  from: string
}

interface Failures {
  count: number
  /** ms since 1970; no further guess is tried before. */
  blockedUntil: number
  /** ms since 1970 */
  last: number
}

export interface SignInLimits {
  /** Number of failures without a wait; each further one doubles the wait. */
  free: number
  /** Longest wait in ms. */
  maxWaitMs: number
  /** All failures are forgotten after this time without a new one (ms). */
  forgetMs: number
  now?: () => number
}

/** Maximum number of remembered failures of each kind, which are kept in memory. */
const ENTRIES = 10_000
/** Maximum number of attempts waiting for others with the same key and caller; further ones are refused. */
const QUEUE = 100

/** Unfinished attempts with one key and caller. */
interface AttemptGate {
  running: number
  waiting: (() => void)[]
}

/**
 * Limits failed sign-ins: after some free failures with one access key, each further one doubles the wait. It counts per key
 * and caller together, so that nobody can lock the owner of a key out, or stop a network from signing in with other keys.
 */
export class SignInLimiter {
  /**
   * Failures that cause a wait, and free ones. They are kept separately, so that many invented keys cannot displace those that
   * cause a wait.
   */
  readonly #blocked = new LRUCache<string, Failures>({ max: ENTRIES })
  readonly #free = new LRUCache<string, Failures>({ max: ENTRIES })
  readonly #gates = new Map<string, AttemptGate>()
  readonly #options: SignInLimits
  readonly #now: () => number

  constructor(options: SignInLimits) {
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  /**
   * Runs an attempt. Only as many attempts with one key and caller run at once as may still fail without a wait, so parallel
   * attempts get no more tries than sequential ones; the others wait. A success resets the count.
   * @param isFailure whether an error of the attempt is a wrong guess
   * @throws HttpError 429 with the seconds to wait; errors of the attempt
   */
  async run<T>(guess: SignInGuess, isFailure: (error: unknown) => boolean, attempt: () => Promise<T>): Promise<T> {
    const subject = guessHash(guess)
    const gate = await this.#enter(subject)
    try {
      const result = await attempt()
      this.#blocked.delete(subject)
      this.#free.delete(subject)
      return result
    } catch (error) {
      if (isFailure(error)) this.#failed(subject)
      throw error
    } finally {
      gate.running--
      if (gate.running === 0) this.#gates.delete(subject)
      for (const look of gate.waiting.splice(0)) look()
    }
  }

  async #enter(subject: string): Promise<AttemptGate> {
    for (;;) {
      const gate = this.#gates.get(subject) ?? { running: 0, waiting: [] }
      const failures = this.#recentFailures(subject)
      const wait = (failures?.blockedUntil ?? 0) - this.#now()
      if (wait > 0) throw tooManyAttempts(Math.ceil(wait / 1000))
      const left = this.#options.free - (failures?.count ?? 0)
      if (gate.running < Math.max(1, left)) {
        this.#gates.set(subject, gate)
        gate.running++
        return gate
      }
      if (gate.waiting.length >= QUEUE) throw tooManyAttempts(1)
      await new Promise<void>((resolve) => gate.waiting.push(resolve))
    }
  }

  #failed(subject: string): void {
    const last = this.#now()
    const { free, maxWaitMs } = this.#options
    const count = (this.#recentFailures(subject)?.count ?? 0) + 1
    const wait = count < free ? 0 : Math.min(maxWaitMs, 1000 * 2 ** Math.min(count - free, 20))
    const failures = { count, blockedUntil: last + wait, last }
    this.#free.delete(subject)
    const table = count < free ? this.#free : this.#blocked
    table.set(subject, failures)
  }

  #recentFailures(subject: string): Failures | undefined {
    const known = this.#blocked.get(subject) ?? this.#free.get(subject)
    return known && this.#now() - known.last < this.#options.forgetMs ? known : undefined
  }
}

/** Returns a hash, so that long keys take no more memory. */
function guessHash({ key, from }: SignInGuess): string {
  return hash('sha256', `${from}\0${key}`, 'base64url')
}

function tooManyAttempts(seconds: number): HttpError {
  return new HttpError(429, reason('too-many-sign-ins', { count: seconds }), {
    headers: { 'retry-after': String(seconds) },
  })
}
