import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** An attempt with a password or secret key: the name that it is for, and its caller. */
export interface SecretGuess {
  /** As entered: spellings that a directory does not distinguish count as one. */
  name: string
  /** The network of the caller, or a device that has signed in with this name before. */
  from: string
}

interface Failures {
  count: number
  /** ms since 1970; a further guess is held until then. */
  heldUntil: number
  /** ms since 1970 */
  last: number
  /** How many of them had which spelling of the name, by hash: a success takes back only its own. */
  spellings: Map<string, number>
}

export interface GuessLimits {
  /** Number of failures with one name from one caller without a pause; each further one doubles the pause. */
  free: number
  /** The same for all names of one caller together. */
  freeOfCaller: number
  /** First and longest pause (ms). */
  pauseMs: number
  maxPauseMs: number
  /** All failures are forgotten after this time without a new one (ms). */
  forgetMs: number
  /** The error for guesses that are refused, because others of the same caller are held. @param seconds until one may be tried */
  refuse: (seconds: number) => Error
  now?: () => number
  wait?: (ms: number) => Promise<void>
}

/** Maximum number of remembered failures of each kind, which are kept in memory. */
const ENTRIES = 10_000
/** Maximum number of attempts waiting for others with the same name and caller; further ones are refused. */
const QUEUE = 100
/** Maximum number of attempts held at once, for one name and caller and for one caller. */
const HELD = 3
const HELD_OF_CALLER = 32
const MAX_SPELLINGS = 16

/** Unfinished attempts with one name and caller. */
interface AttemptGate {
  running: number
  waiting: (() => void)[]
}

/**
 * Limits wrong guesses of secrets: after some free failures, further guesses of the caller are held before they are tried, each
 * longer than the one before, and only a few at once. A right secret is held too, but not refused because others have guessed:
 * neither the owner of a name nor other users of an address are locked out.
 */
export class GuessLimiter {
  /**
   * Failures that cause a pause, and free ones. They are kept separately, so that many invented names cannot displace those
   * that cause a pause.
   */
  readonly #slow = new Map<string, Failures>()
  readonly #free = new Map<string, Failures>()
  readonly #gates = new Map<string, AttemptGate>()
  readonly #held = new Map<string, number>()
  readonly #limits: GuessLimits
  readonly #now: () => number
  readonly #wait: (ms: number) => Promise<void>

  constructor(limits: GuessLimits) {
    this.#limits = limits
    this.#now = limits.now ?? Date.now
    this.#wait = limits.wait ?? (async (ms) => await sleep(ms, undefined, { ref: false }))
  }

  /**
   * Runs an attempt. Only as many attempts with one name and caller run at once as may still fail without a pause, so parallel
   * attempts get no more tries than sequential ones; the others wait. A success takes back the failures with its spelling.
   * @param isFailure whether an error of the attempt is a wrong guess
   * @throws the error of `refuse`; errors of the attempt
   */
  async run<T>(guess: SecretGuess, isFailure: (error: unknown) => boolean, attempt: () => Promise<T>): Promise<T> {
    const subject = textHash(`${guess.from}\0${foldName(guess.name)}`)
    const caller = textHash(guess.from)
    const spelling = textHash(guess.name)
    const gate = await this.#enter(subject, caller)
    try {
      const result = await attempt()
      this.#forgive(subject, spelling)
      return result
    } catch (error) {
      if (isFailure(error)) {
        this.#failed(subject, spelling, this.#limits.free)
        this.#failed(caller, '', this.#limits.freeOfCaller)
      }
      throw error
    } finally {
      gate.running--
      if (gate.running === 0) this.#gates.delete(subject)
      for (const look of gate.waiting.splice(0)) look()
    }
  }

  async #enter(subject: string, caller: string): Promise<AttemptGate> {
    let isHeld = false
    for (;;) {
      if (!isHeld) {
        const holds = [await this.#hold(subject, HELD), await this.#hold(caller, HELD_OF_CALLER)]
        isHeld = holds.includes(true)
      }
      const gate = this.#gates.get(subject) ?? { running: 0, waiting: [] }
      const left = this.#limits.free - (this.#recentFailures(subject)?.count ?? 0)
      if (gate.running < Math.max(1, left)) {
        this.#gates.set(subject, gate)
        gate.running++
        return gate
      }
      if (gate.waiting.length >= QUEUE) throw this.#limits.refuse(1)
      await new Promise<void>((resolve) => gate.waiting.push(resolve))
    }
  }

  /** Waits as long as the failures of a subject require. @returns whether it waited */
  async #hold(subject: string, most: number): Promise<boolean> {
    const ms = (this.#recentFailures(subject)?.heldUntil ?? 0) - this.#now()
    if (ms <= 0) return false
    const held = this.#held.get(subject) ?? 0
    if (held >= most) throw this.#limits.refuse(Math.ceil(ms / 1000))
    this.#held.set(subject, held + 1)
    try {
      await this.#wait(ms)
    } finally {
      const left = (this.#held.get(subject) ?? 1) - 1
      if (left === 0) this.#held.delete(subject)
      else this.#held.set(subject, left)
    }
    return true
  }

  #failed(subject: string, spelling: string, free: number): void {
    const last = this.#now()
    const { pauseMs, maxPauseMs } = this.#limits
    const before = this.#recentFailures(subject)
    const count = (before?.count ?? 0) + 1
    const spellings = before?.spellings ?? new Map<string, number>()
    if (spellings.size < MAX_SPELLINGS || spellings.has(spelling))
      spellings.set(spelling, (spellings.get(spelling) ?? 0) + 1)
    const pause = count < free ? 0 : Math.min(maxPauseMs, pauseMs * 2 ** Math.min(count - free, 20))
    this.#remember(subject, { count, heldUntil: last + pause, last, spellings }, free)
  }

  /** Takes back the failures with one spelling: an account of one name must not excuse guesses for a similar name. */
  #forgive(subject: string, spelling: string): void {
    const failures = this.#recentFailures(subject)
    const own = failures?.spellings.get(spelling)
    if (!failures || own === undefined) return
    const spellings = new Map(failures.spellings)
    spellings.delete(spelling)
    const count = failures.count - own
    const heldUntil = count < this.#limits.free ? 0 : failures.heldUntil
    this.#remember(subject, { ...failures, count, heldUntil, spellings }, this.#limits.free)
  }

  #remember(subject: string, failures: Failures, free: number): void {
    this.#free.delete(subject)
    this.#slow.delete(subject)
    if (failures.count === 0) return
    const table = failures.count < free ? this.#free : this.#slow
    table.set(subject, failures)
    const [oldest] = table.keys()
    if (table.size > ENTRIES && oldest !== undefined) table.delete(oldest)
  }

  #recentFailures(subject: string): Failures | undefined {
    const known = this.#slow.get(subject) ?? this.#free.get(subject)
    return known && this.#now() - known.last < this.#limits.forgetMs ? known : undefined
  }
}

/** Returns a name without what directories do not distinguish: case, and blanks of any kind and number. */
function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s/gu, '')
}

/** Returns a hash, so that long names take no more memory. */
function textHash(text: string): string {
  return hash('sha256', text, 'base64url')
}
