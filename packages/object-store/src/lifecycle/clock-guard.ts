import type { Engine } from '../engine/interface/types.ts'

/** How far the clock may be ahead of the expected time, in ms. */
const TOLERANCE_MS = 24 * 60 * 60 * 1000
const COLLECTION = 'lifecycle'
const NAME = 'clock'

/** A wrong clock. Times are ms since 1970. */
export interface ClockJump {
  expected: number
  found: number
}

type ClockGuardEngine = Pick<Engine, 'clock' | 'confirmClock' | 'getDocument' | 'lastChangeAt' | 'putDocuments'>

/**
 * Decides whether the clock can be trusted for deletions. It cannot if it is more than a day ahead of the newest record of the
 * journal, beyond the time since the start. The result remains until an administrator confirms the clock.
 */
export class ClockGuard {
  #jump: ClockJump | undefined

  private constructor(
    private readonly engine: ClockGuardEngine,
    /** A trusted time of the wall clock, and the steady clock at that moment. */
    private anchor: { wall: number; steady: number },
  ) {
    const stored = engine.getDocument(COLLECTION, NAME)
    if (stored !== undefined) this.#jump = JSON.parse(stored) as ClockJump
  }

  static async open(engine: ClockGuardEngine): Promise<ClockGuard> {
    const { clock } = engine
    const steady = clock.steady()
    return new ClockGuard(engine, { wall: (await engine.lastChangeAt()) ?? clock.now(), steady })
  }

  get jump(): ClockJump | undefined {
    return this.#jump
  }

  /** Checks the clock. @returns whether it can be trusted */
  async check(): Promise<boolean> {
    if (this.#jump) return false
    const { clock } = this.engine
    const found = clock.now()
    const expected = this.anchor.wall + clock.steady() - this.anchor.steady
    if (found < expected) this.#anchorAt(found)
    if (found <= expected + TOLERANCE_MS) return true
    this.#jump = { expected, found }
    await this.engine.putDocuments([{ collection: COLLECTION, name: NAME, value: JSON.stringify(this.#jump) }])
    return false
  }

  /** Accepts the clock after an administrator has confirmed that it is right. */
  async confirm(): Promise<void> {
    this.#anchorAt(this.engine.clock.now())
    await this.engine.confirmClock()
    if (!this.#jump) return
    await this.engine.putDocuments([{ collection: COLLECTION, name: NAME, value: undefined }])
    this.#jump = undefined
  }

  #anchorAt(wall: number): void {
    this.anchor = { wall, steady: this.engine.clock.steady() }
  }
}
