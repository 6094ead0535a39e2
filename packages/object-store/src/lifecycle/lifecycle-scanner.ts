import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Engine, LifecycleResult, StoreChange } from '../engine/interface/types.ts'
import { abortDueUploads } from './abort-uploads.ts'
import { ClockGuard, type ClockJump } from './clock-guard.ts'
import { forEachConcurrent } from './for-each-concurrent.ts'

/** The result of one pass over all buckets. Times are ms since 1970. */
export interface LifecyclePass extends LifecycleResult {
  startedAt: number
  endedAt: number | undefined
  /** Number of keys checked. */
  scanned: number
  /** Number of versions moved to tiers, and of failed attempts. */
  moved: number
  failed: number
  /** Number of aborted uploads. */
  aborted: number
}

export interface LifecycleScannerStatus {
  /** Set if the clock is not trusted: nothing is deleted until an administrator confirms it. */
  clockJump: ClockJump | undefined
  /** The running pass, or the last one. */
  pass: LifecyclePass | undefined
}

export interface LifecyclePace {
  /** Share of one core: above 0, at most 1. */
  readonly share: number
  /** Number of versions moved to tiers at the same time. */
  readonly transitions: number
  /** Number of batches of expired objects removed at the same time. */
  readonly expirations: number
}

interface LifecycleCursor {
  bucket: string
  after: string
}

const COLLECTION = 'lifecycle'
const CURSOR = 'cursor'
/** Pause between two passes. */
const PAUSE_MS = 60_000
/** Maximum time that a slice of the scan may block other work. */
const SLICE_MS = 2
/** Number of keys changed by one commit. */
const BATCH = 100
const SAVE_MS = 5000
/** After this many failures no more versions are moved in this pass: the tier is unreachable. */
const MAX_FAILED = 10

/**
 * Applies the lifecycle rules of buckets, in slices between which requests run. An interrupted pass continues where it stopped,
 * also after a restart.
 */
export class LifecycleScanner {
  readonly #stopping = new AbortController()
  readonly #guard: Promise<ClockGuard>
  #jump: ClockJump | undefined
  #pass: LifecyclePass | undefined
  #running: Promise<void> | undefined
  #again = false
  #timer: NodeJS.Timeout | undefined
  #unsubscribe: (() => void) | undefined
  #savedAt = 0

  constructor(
    private readonly engine: Engine,
    private readonly log: Logger,
    private readonly pace: () => LifecyclePace,
  ) {
    // Open it at the start, because elapsed time can only be measured from then on.
    this.#guard = ClockGuard.open(engine)
    this.#guard.catch(() => undefined)
  }

  /** Starts the first pass; others follow, also soon after rules have changed. */
  start(): void {
    this.#unsubscribe = this.engine.subscribe((change) => this.#onChange(change))
    this.#runSoon()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    this.#unsubscribe?.()
    await this.#running
  }

  get status(): LifecycleScannerStatus {
    return { clockJump: this.#jump, pass: this.#pass }
  }

  /** Accepts the clock after an administrator has confirmed that it is right. */
  async confirmClock(): Promise<void> {
    await (await this.#guard).confirm()
    this.#jump = undefined
    this.#runSoon()
  }

  /** Runs a pass, after waiting for a running one. */
  async run(): Promise<LifecyclePass | undefined> {
    while (this.#running) await this.#running
    await this.#begin()
    return this.#pass
  }

  #onChange({ type, key }: StoreChange): void {
    if (type === 'bucket-setting' && key === 'lifecycle') this.#runSoon()
  }

  #runSoon(): void {
    if (this.#running) this.#again = true
    else void this.#begin()
  }

  #begin(): Promise<void> | undefined {
    if (this.#stopping.signal.aborted || this.#running) return this.#running
    clearTimeout(this.#timer)
    this.#again = false
    this.#running = this.#runPass()
      .catch((error: unknown) => {
        if (!this.#stopping.signal.aborted)
          this.log.error({ err: error }, 'the lifecycle scan failed; it will be tried again')
      })
      .finally(() => {
        this.#running = undefined
        if (this.#again) void this.#begin()
        else if (!this.#stopping.signal.aborted) {
          this.#timer = setTimeout(() => void this.#begin(), PAUSE_MS).unref()
        }
      })
    return this.#running
  }

  async #runPass(): Promise<void> {
    const buckets = this.engine.listBuckets().map(({ name }) => name)
    if (!buckets.some((bucket) => this.#hasRules(bucket))) return
    if (!(await this.#trustsClock())) return
    const cursor = this.#readCursor()
    const pass: LifecyclePass = {
      startedAt: this.engine.clock.now(),
      endedAt: undefined,
      scanned: 0,
      removed: 0,
      markers: 0,
      bytes: 0,
      kept: 0,
      moved: 0,
      failed: 0,
      aborted: 0,
    }
    this.#pass = pass
    this.#savedAt = performance.now()
    for (const bucket of buckets) {
      if (cursor && Buffer.compare(Buffer.from(bucket), Buffer.from(cursor.bucket)) < 0) continue
      if (!this.#hasRules(bucket)) continue
      if (!(await this.#scan(bucket, bucket === cursor?.bucket ? cursor.after : '', pass))) return
    }
    await this.#saveCursor(undefined)
    pass.endedAt = this.engine.clock.now()
  }

  async #trustsClock(): Promise<boolean> {
    const guard = await this.#guard
    if (await guard.check()) return true
    if (!this.#jump) {
      this.log.warn(
        guard.jump ?? {},
        'the clock stands more than a day ahead of what is explained; lifecycle rules wait until an administrator confirms it',
      )
    }
    this.#jump = guard.jump
    return false
  }

  #hasRules(bucket: string): boolean {
    try {
      return this.engine.getBucketSetting(bucket, 'lifecycle')?.value.some(({ enabled }) => enabled) ?? false
    } catch {
      // The bucket was deleted, or its rules cannot be read: delete nothing by unknown rules.
      return false
    }
  }

  /** @returns false if the pass must end here */
  async #scan(bucket: string, from: string, pass: LifecyclePass): Promise<boolean> {
    let after: string | undefined = from
    while (after !== undefined) {
      if (this.#stopping.signal.aborted) {
        await this.#saveCursor({ bucket, after })
        return false
      }
      const startedAt = performance.now()
      if (!this.#hasRules(bucket)) return true
      const slice = this.engine.scanLifecycle(bucket, after, SLICE_MS)
      pass.scanned += slice.scanned
      const tookMs = performance.now() - startedAt
      const due = slice.due.filter(({ removes }) => removes).map(({ key }) => key)
      const { transitions: movers, expirations } = this.pace()
      const batches = Array.from({ length: Math.ceil(due.length / BATCH) }, (_, i) =>
        due.slice(i * BATCH, (i + 1) * BATCH),
      )
      let trusted = true
      await forEachConcurrent(batches, expirations, async (keys) => {
        trusted &&= await this.#trustsClock()
        if (trusted) await this.#apply(bucket, keys, pass)
      })
      if (!trusted) return false
      const moves = slice.due.flatMap(({ key, transitions }) =>
        transitions.map(({ versionId }) => ({ key, versionId })),
      )
      await forEachConcurrent(moves, movers, ({ key, versionId }) => this.#move({ bucket, key, versionId }, pass))
      after = slice.next
      if (after === undefined) break
      await this.#saveSometimes({ bucket, after })
      await this.#pause(tookMs)
    }
    pass.aborted += await abortDueUploads(this.engine, bucket, this.log)
    return true
  }

  async #apply(bucket: string, keys: string[], pass: LifecyclePass): Promise<void> {
    const { removed, markers, bytes, kept } = await this.engine.applyLifecycle(bucket, keys)
    pass.removed += removed
    pass.markers += markers
    pass.bytes += bytes
    pass.kept += kept
    if (removed + markers > 0)
      this.log.info({ bucket, removed, markers, bytes, kept }, 'lifecycle rules removed objects')
  }

  async #move(object: { bucket: string; key: string; versionId: string }, pass: LifecyclePass): Promise<void> {
    if (pass.failed >= MAX_FAILED || this.#stopping.signal.aborted || !(await this.#trustsClock())) return
    try {
      const bytes = await this.engine.transitionVersion(object)
      if (bytes > 0) pass.moved++
    } catch (error) {
      pass.failed++
      this.log.warn({ err: error, ...object }, 'an object could not be moved to its tier; it will be tried again')
    }
  }

  async #pause(tookMs: number): Promise<void> {
    await sleep(tookMs * (1 / this.pace().share - 1), undefined, { signal: this.#stopping.signal, ref: false }).catch(
      () => undefined,
    )
  }

  #readCursor(): LifecycleCursor | undefined {
    const text = this.engine.getDocument(COLLECTION, CURSOR)
    return text === undefined ? undefined : (JSON.parse(text) as LifecycleCursor)
  }

  async #saveSometimes(cursor: LifecycleCursor): Promise<void> {
    if (performance.now() - this.#savedAt < SAVE_MS) return
    this.#savedAt = performance.now()
    await this.#saveCursor(cursor)
  }

  async #saveCursor(cursor: LifecycleCursor | undefined): Promise<void> {
    const value = cursor && JSON.stringify(cursor)
    if (value === this.engine.getDocument(COLLECTION, CURSOR)) return
    await this.engine.putDocuments([{ collection: COLLECTION, name: CURSOR, value }])
  }
}
