import { setTimeout as wait } from 'node:timers/promises'
import { LmdbIndex } from '../index-db/lmdb-index.ts'
import type { Core } from './core.ts'
import type { Healer } from './healer.ts'
import type { Membership } from './membership.ts'

/** From the start to the first check, and from one check's end to the next one. */
const FIRST_MS = 60_000
const AGAIN_MS = 6 * 3_600_000
/** Share of the time that a check may take from one core and the disks. */
const SHARE = 0.05

/** Looks, slowly and for ever, for damage that nobody has met yet: in both copies of the index and in every blob. */
export class Scrubber {
  readonly #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(
    private readonly core: Core,
    private readonly healer: Healer,
    private readonly membership: Membership,
  ) {}

  start(): void {
    this.#running = this.#run().catch((error) => {
      if (!this.#stop.signal.aborted) this.core.log.error({ err: error }, 'the background check ended')
    })
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    await this.#wait(FIRST_MS)
    for (;;) {
      await this.checkIndex()
      const result = await this.healer.scrub((spentMs) => this.#wait(spentMs / SHARE))
      this.core.log.info(result, 'the background check is done')
      await this.#wait(AGAIN_MS)
    }
  }

  /** Checks every copy of the index; a damaged one is made anew. */
  async checkIndex(): Promise<void> {
    for (const copy of this.core.index.copies) {
      if (!(copy.index instanceof LmdbIndex)) continue
      try {
        let begun = performance.now()
        for (const _ of copy.index.check()) {
          const spent = performance.now() - begun
          if (spent < 2) continue
          await this.#wait(spent / SHARE)
          begun = performance.now()
        }
      } catch (error) {
        if (this.#stop.signal.aborted) return
        // The last copy is left in use: most of it can still be read.
        if (this.core.index.copies.length > 1) {
          this.core.index.remove(copy.slot)
          this.membership.indexDamaged(copy, error)
        } else this.core.log.error({ err: error }, 'the only copy of the index is damaged')
      }
    }
  }

  #wait(ms: number): Promise<void> {
    return wait(ms, undefined, { signal: this.#stop.signal, ref: false })
  }
}
