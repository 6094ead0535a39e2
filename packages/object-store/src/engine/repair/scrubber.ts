import { setTimeout as wait, setImmediate as yieldToOthers } from 'node:timers/promises'
import { DamagedEntry } from '../../index-db/entry-checksum.ts'
import type { IndexCopy } from '../../index-db/index-mirror.ts'
import { LmdbIndex } from '../../index-db/lmdb-index.ts'
import { DamagedIndexFile } from '../../index-db/lmdb-page.ts'
import type { EngineCore } from '../core/engine-core.ts'
import type { ScrubPace } from '../interface/types.ts'
import type { BlobHealer } from './blob-healer.ts'
import type { IndexDrives } from './index-drives.ts'

/** Pause from the start to the first check, and between checks. */
const FIRST_CHECK_MS = 60_000
const NEXT_CHECK_MS = 6 * 3_600_000
/** Default share of time that a check may use of one core and of the disks. */
const DEFAULT_SHARE = 0.05
/** Maximum time that a step may block the event loop. */
const STEP_MS = 2

/** Searches both copies of the index and all blobs for undetected damage, slowly and continuously, in the background. */
export class Scrubber {
  readonly #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #pace: ScrubPace = { share: DEFAULT_SHARE, blobs: true }
  #activeAt: number | undefined

  constructor(
    private readonly core: EngineCore,
    private readonly healer: BlobHealer,
    private readonly indexDrives: IndexDrives,
  ) {}

  /** When it last worked, ms since 1970; undefined before its first step. */
  get activeAt(): number | undefined {
    return this.#activeAt
  }

  /** Takes effect with the next step. */
  setPace(pace: ScrubPace): void {
    this.#pace = pace
  }

  start(): void {
    this.#running = this.#run().catch((error) => {
      if (!this.#stop.signal.aborted) this.core.log.error({ err: error }, 'the background check failed')
    })
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  /** Runs a complete check at full speed. @throws the signal's reason */
  async check(signal?: AbortSignal): Promise<{ blobs: number; damagedCopies: number }> {
    const pause = async () => {
      signal?.throwIfAborted()
      this.#stop.signal.throwIfAborted()
      await yieldToOthers()
    }
    const damaged = await this.#checkIndex(pause)
    const result = await this.healer.scrub(pause)
    return { ...result, damagedCopies: result.damagedCopies + damaged }
  }

  async #run(): Promise<void> {
    const pause = (spentMs: number) => {
      this.#activeAt = Date.now()
      return this.#wait(spentMs / this.#pace.share)
    }
    await this.#wait(FIRST_CHECK_MS)
    for (;;) {
      this.#activeAt = Date.now()
      await this.#checkIndex(pause)
      const result = this.#pace.blobs ? await this.healer.scrub(pause) : { blobs: 0, damagedCopies: 0 }
      this.#activeAt = Date.now()
      this.core.log.info(result, 'the background check is finished')
      await this.#wait(NEXT_CHECK_MS)
    }
  }

  /** Checks all copies of the index, and rebuilds damaged ones. @returns the number of damaged copies */
  async #checkIndex(pause: (spentMs: number) => Promise<void>): Promise<number> {
    let damaged = 0
    for (const copy of this.core.index.copies) {
      if (!(copy.index instanceof LmdbIndex)) continue
      const steps = copy.index.check()
      try {
        for (let begun = performance.now(); !this.#step(copy, steps); ) {
          const spent = performance.now() - begun
          if (spent < STEP_MS) continue
          await pause(spent)
          begun = performance.now()
        }
      } catch (error) {
        if (!(error instanceof DamagedIndexFile || error instanceof DamagedEntry)) throw error
        damaged++
      } finally {
        steps.return(undefined)
      }
    }
    return damaged
  }

  /** @returns whether the check has ended @throws the damage, after the copy was given up */
  #step(copy: IndexCopy, steps: Generator<void>): boolean {
    try {
      return steps.next().done === true
    } catch (error) {
      // The last copy is left in use: most of it can still be read.
      if (this.core.index.copies.length > 1) {
        this.core.index.remove(copy.slot)
        this.indexDrives.indexDamaged(copy, error)
      } else this.core.log.error({ err: error }, 'the only copy of the index is damaged')
      throw error
    }
  }

  #wait(ms: number): Promise<void> {
    return wait(ms, undefined, { signal: this.#stop.signal, ref: false })
  }
}
