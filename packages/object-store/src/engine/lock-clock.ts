/** How much faster than the machine's steady clock the wall clock may run: corrections of the time are slower. */
const MAX_DRIFT = 0.01
const SLACK_MS = 1000
/** How often the two clocks are compared anew. */
const ANCHOR_MS = 60_000

/**
 * The time by which retention ends. It is the wall clock's as long as that runs evenly; a wall clock that is set forward
 * while the store runs does not end a retention early. `LockClockKeeper` keeps how far it stands behind over restarts.
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

  /** How far it stands behind the wall clock, in ms. */
  get behind(): number {
    return this.wallNow() - this.now()
  }

  /** Goes on from so many ms behind the wall clock; from 0, it is the wall clock's time again. */
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
      // A clock that was set forward stays behind by what it was, and goes on evenly.
      this.#wall = now === latest ? this.#wall + elapsed : now
      this.#steady = steady
    }
    return now
  }
}
