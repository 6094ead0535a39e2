import type { EngineCore } from './engine-core.ts'
import { getDocument, putDocuments } from './stored-documents.ts'

const COLLECTION = 'lock-clock'
const NAME = 'state'
/** How far the wall clock may have been set forward while the store was stopped, in ms. */
const TOLERANCE_MS = 24 * 60 * 60 * 1000
/** Smaller changes (ms) are not stored: they come from the tolerance of the lock clock. */
const KEEP_FROM_MS = 60_000
/** Maximum age of the time in the document. */
const MAX_AGE_MS = 60 * 60 * 1000
const LOOK_EVERY_MS = 5000

/** `behind` in ms, and the time of the wall clock when it was measured (ms since 1970). */
interface LockClockState {
  behind: number
  at: number
}

/**
 * Stores how far the lock clock is behind the wall clock, so that a restart ends no retention early: neither after the clock
 * was set forward while the store ran, nor if it was set forward by more than a day while the store was stopped.
 */
export class LockClockKeeper {
  #kept: LockClockState | undefined
  /** When the time was last known to be stored, ms since 1970. */
  readonly #knownAt: number
  #timer: NodeJS.Timeout

  /** @param lastChangeAt when the newest change was made, ms since 1970 */
  constructor(
    private readonly core: EngineCore,
    lastChangeAt: number | undefined,
  ) {
    const stored = getDocument(core, COLLECTION, NAME)
    if (stored !== undefined) this.#kept = JSON.parse(stored) as LockClockState
    const { behind = 0, at = 0 } = this.#kept ?? {}
    const last = Math.max(lastChangeAt ?? 0, at)
    this.#knownAt = last || core.now()
    if (last > 0) {
      const moved = core.now() - last
      // If the wall clock was set back, it is closer to the lock clock now.
      const still = Math.max(0, behind + Math.min(0, moved))
      core.lockClock.behind = still + Math.max(0, moved - TOLERANCE_MS)
    }
    const look = () => this.saveState().catch((error) => core.log.warn({ err: error }, 'the lock clock was not kept'))
    this.#timer = setInterval(() => void look(), LOOK_EVERY_MS).unref()
  }

  /** Stores the state if it has changed. */
  async saveState(): Promise<void> {
    const { core } = this
    const state = { behind: core.lockClock.behind, at: core.now() }
    const { behind = 0, at = 0 } = this.#kept ?? {}
    // Also stored if nothing changes: otherwise idle days before a restart would look like a wrong clock.
    const isFresh = state.at - Math.max(at, this.#knownAt) < MAX_AGE_MS
    if (Math.abs(state.behind - behind) < KEEP_FROM_MS && isFresh) return
    if (state.behind < KEEP_FROM_MS) state.behind = 0
    await putDocuments(core, [{ collection: COLLECTION, name: NAME, value: JSON.stringify(state) }])
    this.#kept = state
  }

  /** Called when an administrator confirms that the wall clock is right. */
  async confirm(): Promise<void> {
    this.core.lockClock.behind = 0
    await this.saveState()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.saveState().catch((error) => this.core.log.warn({ err: error }, 'the lock clock was not kept'))
  }
}
