/** How much faster than the steady clock the wall clock may run: time corrections (NTP) are slower than this. */
const MAX_DRIFT = 0.01
const SLACK_MS = 1000
/** Interval at which the two clocks are compared. */
const ANCHOR_MS = 60_000

/**
 * The clock for the end of retention. It follows the wall clock while that runs evenly; setting the wall clock forward while
 * the store runs does not end a retention early. `LockClockKeeper` preserves the difference over restarts.
 */
export class LockClock {
  #wall: number
  #steady: number

  constructor(
    private readonly wallNow: () => number,
    private readonly steadyNow: () => number,
  ) {
    this.#wall = wallNow()
    this.#steady = steadyNow()
  }

  /** How far it is behind the wall clock, in ms. */
  get behind(): number {
    return this.wallNow() - this.now()
  }

  /** Sets how far it is behind the wall clock, in ms; 0 means equal. */
  set behind(ms: number) {
    this.#wall = this.wallNow() - ms
    this.#steady = this.steadyNow()
  }

  /** ms since 1970. */
  now(): number {
    const steady = this.steadyNow()
    const elapsed = steady - this.#steady
    const latest = this.#wall + elapsed * (1 + MAX_DRIFT) + SLACK_MS
    const now = Math.min(this.wallNow(), latest)
    if (elapsed >= ANCHOR_MS) {
      // After the wall clock was set forward, keep the difference and run evenly.
      this.#wall = now === latest ? this.#wall + elapsed : now
      this.#steady = steady
    }
    return now
  }
}
