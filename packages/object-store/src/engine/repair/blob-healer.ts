import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { checkBlobCopy, copyBlob, hasBlob, verifyBlob } from '../../blobs/blob-copies.ts'
import { DamagedBlob } from '../../blobs/blob-reader.ts'
import type { StoreDrive } from '../../drives/drive.ts'
import type { DrivePool } from '../../drives/drive-pool.ts'
import { successor } from '../../index-db/key-bounds.ts'
import { mapInOrder } from '../../lib/in-order.ts'
import type { EngineCore } from '../core/engine-core.ts'
import type { HealCopy } from '../interface/types.ts'
import { setBlobSlots } from '../records/blob-references.ts'
import { indexKeys } from '../records/index-keys.ts'
import { type BlobRecord, decodeBlob } from '../records/index-records.ts'

/** Number of blobs checked between two pauses. */
const PAGE = 200
const RETRY_MS = 5000
/** Number of blobs healed at once while no requests are served: most of the time is spent waiting for the disks to sync. */
const CONCURRENCY = 16
const MAX_SUSPECTS = 10_000
const EXAMINE_MS = 10 * 60_000

/** `refused`: the drive failed to store the copy. `lost`: there is no intact copy. */
type CopyHealResult = 'whole' | 'refused' | 'lost'

/** Restores damaged copies of blobs, missing copies, and drives that came back empty. */
export class BlobHealer {
  readonly #damaged = new Map<string, Set<number>>()
  /** Blobs whose copies must all be read. */
  readonly #suspects = new Set<string>()
  /** When blobs were last examined (ms of `performance`), oldest first. */
  readonly #examined = new Map<string, number>()
  readonly #drives = new Set<number>()
  /** Drives that lack blobs of which no other copy was available. */
  readonly #unhealed = new Set<number>()
  #incomplete = true
  /** Bytes of the missing copies that are being written. */
  #writing = 0
  #running: Promise<void> | undefined
  #stopped = false

  /** Time of the last repair, or of the last check by a requested heal; ms since 1970. */
  lastActivityAt: number | undefined

  constructor(private readonly core: EngineCore) {}

  /** Number of blobs to heal at once. */
  readonly concurrency = (): number => (this.core.load.isBusy() ? 1 : CONCURRENCY)

  /** Reports a missing or damaged copy. */
  reportDamage(blob: string, slot: number): void {
    const slots = this.#damaged.get(blob) ?? new Set()
    this.#damaged.set(blob, slots.add(slot))
    this.#start()
  }

  /**
   * Called when damage was found in an object: all copies of these blobs are read, and healed if needed. At most
   * `MAX_SUSPECTS` blobs wait, and no blob is checked twice within `EXAMINE_MS`; the scrub checks the others.
   */
  queueCheck(blobs: Iterable<string>): void {
    const longAgo = performance.now() - EXAMINE_MS
    for (const [blob, at] of this.#examined) {
      if (at > longAgo) break
      this.#examined.delete(blob)
    }
    for (const blob of blobs) {
      if (this.#suspects.size + this.#examined.size >= MAX_SUSPECTS) break
      if (!this.#examined.has(blob)) this.#suspects.add(blob)
    }
    this.#start()
  }

  /** Restores all blobs of a drive that came back. */
  restoreDrive(slot: number): void {
    // It may have copies that the other drives need.
    for (const other of this.#unhealed) this.#drives.add(other)
    this.#unhealed.clear()
    this.#addDrive(slot)
  }

  /** Called when blobs with a missing copy may have a drive for it now. */
  completeCopies(): void {
    this.#incomplete = true
    this.#start()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running
  }

  /** Reads every copy of every blob and heals what is damaged. @param pause is waited for after each blob */
  async scrub(pause: (spentMs: number) => Promise<void>): Promise<{ blobs: number; damagedCopies: number }> {
    const result = { blobs: 0, damagedCopies: 0 }
    for await (const { blob, record } of this.#blobs()) {
      const begun = performance.now()
      result.damagedCopies += await this.#verify(blob, record)
      result.blobs++
      await pause(performance.now() - begun)
    }
    return result
  }

  /**
   * Checks the expected copies of a blob, and repairs them if needed.
   * @returns undefined for a deleted blob
   */
  async healBlob(
    blob: string,
    { deep, dryRun }: { deep: boolean; dryRun: boolean },
  ): Promise<{ before: HealCopy[]; after: HealCopy[] } | undefined> {
    const record = this.#record(blob)
    if (!record) return undefined
    this.lastActivityAt = this.core.now()
    const before = await this.#copies(blob, record, deep)
    if (dryRun || before.every(({ state }) => state === 'ok')) return { before, after: before }
    for (const [i, slot] of record.slots.entries())
      if (before[i]?.state === 'missing' || before[i]?.state === 'corrupt') await this.#healCopy(blob, slot)
    await this.#completeBlob(blob)
    const now = this.#record(blob)
    return now && { before, after: await this.#copies(blob, now, deep) }
  }

  /** Returns the copies on the drives that the index names, then the missing ones. */
  async #copies(blob: string, record: BlobRecord, deep: boolean): Promise<HealCopy[]> {
    const { pool, blobs } = this.core
    const named = await Promise.all(
      record.slots.map(async (slot): Promise<HealCopy> => {
        const drive = pool.bySlot(slot)
        if (!drive?.usable) return { id: drive?.id ?? '', path: drive?.path ?? '', state: 'offline' }
        return { id: drive.id, path: drive.path, state: await checkBlobCopy(drive, blob, record.size, deep) }
      }),
    )
    const others = missingCopies(pool, record.slots, blobs.wantedCopies - named.length)
    return [...named, ...others]
  }

  /** Reads all copies of a blob, and queues damaged ones for healing. @returns the number of damaged copies */
  async #verify(blob: string, record: BlobRecord): Promise<number> {
    let found = 0
    for (const slot of record.slots) {
      const drive = this.core.pool.bySlot(slot)
      if (drive?.state !== 'ok') continue
      try {
        await verifyBlob(drive, blob, record.size)
      } catch (error) {
        // Deleted since the record was read.
        if (!this.#record(blob)) break
        this.core.log.warn({ err: error, blob, drive: drive.path }, 'the check found a damaged copy')
        found++
        this.reportDamage(blob, slot)
      }
    }
    return found
  }

  async #examine(blob: string): Promise<void> {
    this.#suspects.delete(blob)
    const record = this.#record(blob)
    if (!record) return
    await this.#verify(blob, record)
    this.#examined.set(blob, performance.now())
  }

  #addDrive(slot: number): void {
    this.#drives.add(slot)
    this.#start()
  }

  get #work(): boolean {
    return this.#damaged.size > 0 || this.#suspects.size > 0 || this.#drives.size > 0 || this.#incomplete
  }

  #start(): void {
    if (this.#stopped || this.#running) return
    this.#running = this.#run().finally(() => {
      this.#running = undefined
      // Damage was reported between the last check and this line.
      if (this.#work) this.#start()
    })
  }

  async #run(): Promise<void> {
    while (!this.#stopped && this.#work) {
      const [damaged] = this.#damaged
      const [suspect] = this.#suspects
      const [slot] = this.#drives
      try {
        if (damaged) {
          this.#damaged.delete(damaged[0])
          for (const at of damaged[1]) await this.#healCopy(damaged[0], at)
        } else if (suspect !== undefined) {
          await this.#examine(suspect)
        } else if (slot !== undefined) {
          this.#drives.delete(slot)
          await this.#healDrive(slot)
        } else {
          this.#incomplete = false
          await this.#completeBlobs()
        }
      } catch (error) {
        this.core.log.error({ err: error }, 'healing failed')
        if (slot !== undefined) this.#again(() => this.#addDrive(slot))
        else this.#again(() => this.completeCopies())
      }
    }
  }

  #again(work: () => void): void {
    setTimeout(work, RETRY_MS).unref()
  }

  #record(blob: string): BlobRecord | undefined {
    const value = this.core.index.get(indexKeys.blob(blob))
    return value && decodeBlob(value)
  }

  /** Rewrites the copy on one drive from another. */
  async #healCopy(blob: string, slot: number): Promise<CopyHealResult> {
    const { pool, log } = this.core
    const record = this.#record(blob)
    const to = pool.bySlot(slot)
    if (!record?.slots.includes(slot)) return 'whole'
    if (!to?.usable) return 'refused'
    const others = record.slots
      .flatMap((other) => pool.bySlot(other) ?? [])
      .filter((drive) => drive !== to && drive.usable)
    try {
      // The rest of the damaged copy may contain the one block that the others lack.
      await copyBlob([...others, to], to, blob, record.size)
      // The blob was deleted during the copy, so remove the new file too.
      if (!this.#record(blob)) await this.core.blobs.discard(blob, [slot])
      this.lastActivityAt = this.core.now()
      log.info({ blob, drive: to.path }, 'a copy of a blob was healed')
      return 'whole'
    } catch (error) {
      if (!this.#record(blob)) return 'whole'
      if (error instanceof DamagedBlob) {
        log.error({ err: error, blob, drive: to.path }, 'a copy of a blob could not be healed: no copy has all of it')
        return 'lost'
      }
      log.warn({ err: error, blob, to: to.path }, 'a copy of a blob could not be written')
      return 'refused'
    }
  }

  async #healDrive(slot: number): Promise<void> {
    const { pool, log } = this.core
    const drive = pool.bySlot(slot)
    if (!drive?.usable) return
    const count = { whole: 0, refused: 0, lost: 0 }
    const restore = async ({ blob, record }: { blob: string; record: BlobRecord }) => {
      const isDone = !record.slots.includes(slot) || (await hasBlob(drive, blob, record.size))
      return { blob, outcome: isDone ? undefined : await this.#healCopy(blob, slot) }
    }
    for await (const { blob, outcome } of mapInOrder(this.#blobs(), this.concurrency, restore)) {
      if (!drive.usable) return
      // Blobs are visited in the order of their names, which are random numbers, so the name gives the progress.
      drive.healed = Number.parseInt(blob.slice(0, 8), 16) / 2 ** 32
      if (outcome) count[outcome]++
    }
    if (this.#stopped || !drive.usable) return
    log.info({ drive: drive.path, ...count }, 'a drive was healed')
    if (count.lost > 0) this.#unhealed.add(slot)
    if (count.refused > 0) this.#again(() => this.#addDrive(slot))
    else if (drive.state === 'healing') drive.state = 'ok'
    drive.healed = undefined
  }

  async #completeBlobs(): Promise<void> {
    const all = indexKeys.table('H')
    const blobs = Array.from(this.core.index.range(all, successor(all)), ({ key }) => key.toString('latin1', 1))
    for await (const _ of mapInOrder(blobs, this.concurrency, (blob) => this.#completeBlob(blob)))
      if (this.#stopped) return
  }

  /** Writes a blob's missing copy to another drive. */
  async #completeBlob(blob: string): Promise<void> {
    const { pool, committer, log, blobs } = this.core
    const record = this.#record(blob)
    if (!record) return
    const has = record.slots
      .map((slot) => pool.bySlot(slot))
      .filter((drive): drive is StoreDrive => drive?.usable === true)
    // The copies that are written at the same time may all go to one drive.
    const room = pool.minFree + this.#writing + record.size
    const to = pool.usable.find((drive) => !record.slots.includes(drive.slot) && drive.free >= room)
    const [from] = has
    if (!from || !to || record.slots.length >= blobs.wantedCopies) return
    const { id } = to
    this.#writing += record.size
    try {
      await copyBlob(has, to, blob, record.size)
      pool.subtractFree(to, record.size)
    } catch (error) {
      log.warn({ err: error, blob, to: to.path }, 'the second copy of a blob could not be written')
      return
    } finally {
      this.#writing -= record.size
    }
    await committer.commit((tx) => {
      const now = tx.get(indexKeys.blob(blob))
      // Another heal may have found a drive for it meanwhile.
      if (!now || decodeBlob(now).slots.length !== record.slots.length) return
      if (to.usable && to.id === id) setBlobSlots(tx, blob, [...record.slots, to.slot], false)
    })
    if (!this.#record(blob)?.slots.includes(to.slot)) await blobs.discard(blob, [to.slot])
  }

  /** Yields all blobs in pages, so that other work can run and no reader of the index stays open. */
  async *#blobs(): AsyncGenerator<{ blob: string; record: BlobRecord }> {
    const end = successor(indexKeys.table('B'))
    let start: Buffer | undefined = indexKeys.table('B')
    while (start && !this.#stopped) {
      const page: { blob: string; record: BlobRecord }[] = []
      for (const { key, value } of this.core.index.range(start, end)) {
        page.push({ blob: key.toString('latin1', 1), record: decodeBlob(value) })
        if (page.length >= PAGE) break
      }
      for (const entry of page) {
        if (this.#stopped) return
        yield entry
      }
      const last = page.at(-1)
      start = last && page.length >= PAGE ? Buffer.concat([indexKeys.blob(last.blob), Buffer.from([0])]) : undefined
      await yieldToOthers()
    }
  }
}

/** Returns the drives that could store the missing copies, online ones first. */
export function missingCopies(pool: DrivePool, slots: readonly number[], count: number): HealCopy[] {
  const free = pool.drives.filter(({ slot }) => !slots.includes(slot))
  return [...free.filter(({ usable }) => usable), ...free.filter(({ usable }) => !usable)]
    .slice(0, Math.max(0, count))
    .map(({ id, path, usable }) => ({ id, path, state: usable ? 'missing' : 'offline' }))
}
