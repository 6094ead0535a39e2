import { copyFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { StoreDrive } from '../../drives/drive.ts'
import type { DrivePool } from '../../drives/drive-pool.ts'
import { makeFolder, syncFolder } from '../../drives/durable-files.ts'
import { checkIndexFileInSteps } from '../../index-db/check-index-file.ts'
import type { IndexCopy, IndexMirror } from '../../index-db/index-mirror.ts'
import { LmdbIndex } from '../../index-db/lmdb-index.ts'
import type { StoreJournal } from '../../journal/journal.ts'
import { listSegments } from '../../journal/journal-segment.ts'
import { readFrames } from '../../journal/read-frames.ts'
import type { Committer } from '../commit/committer.ts'
import { setAsideIndex } from '../commit/recover-index.ts'
import { replayFrame, withoutUnusableOps } from '../commit/replay-frame.ts'

import type { EngineLog } from '../interface/types.ts'

/** Number of drives that keep journal and index. */
const INDEX_DRIVE_COUNT = 2
const RETRY_MS = 30_000
/** Number of copies that are rebuilt immediately after damage within `DAMAGE_MS`. Further ones wait for increasing times. */
const PROMPT_REBUILDS = 2
const DAMAGE_MS = 10 * 60_000

/**
 * Keeps journal and index on two drives: gives up a lost copy, and makes a new one on the next healthy drive while the store
 * keeps working. The remaining drives are recorded in the layout, durably, before a change is acknowledged on fewer drives.
 */
export class IndexDrives {
  #work: Promise<void> = Promise.resolve()
  #stopped = false
  #retry: NodeJS.Timeout | undefined
  /** When copies were given up because of damage, in ms of `performance`. */
  #damaged: number[] = []

  constructor(
    private readonly pool: DrivePool,
    private readonly index: IndexMirror,
    private readonly journal: StoreJournal,
    private readonly committer: Committer,
    private readonly log: EngineLog,
  ) {}

  /** Gives up the copies on a lost drive. */
  async driveLost(slot: number, reason: string): Promise<void> {
    if (!this.pool.layout.members.includes(slot)) return
    this.log.error({ drive: this.pool.bySlot(slot)?.path, reason }, 'a drive no longer keeps journal and index')
    await this.committer.exclusive(() => this.#leave(slot))
    this.completeCopies()
  }

  /** Stops using a damaged copy of the index; the file is kept under another name for inspection. */
  indexDamaged(copy: IndexCopy, why: unknown): void {
    const drive = this.pool.bySlot(copy.slot)
    this.log.error({ err: why, drive: drive?.path }, 'a copy of the index is damaged and is rebuilt')
    this.committer
      .exclusive(async () => {
        await this.#leave(copy.slot)
        await copy.index.close()
        if (drive?.usable) await setAsideIndex(drive)
      })
      .catch((error) => this.log.warn({ err: error }, 'the damaged index could not be kept'))
      .finally(() => this.#completeAfterDamage())
  }

  /**
   * Rebuilds a damaged copy, which reads and writes the whole index. The pauses grow, so that a disk that damages it repeatedly
   * does not keep the store busy.
   */
  #completeAfterDamage(): void {
    const now = performance.now()
    this.#damaged = [...this.#damaged.filter((at) => now - at < DAMAGE_MS), now]
    const late = this.#damaged.length - PROMPT_REBUILDS
    if (late <= 0) this.completeCopies()
    else {
      const waitMs = Math.min(RETRY_MS * 2 ** (late - 1), DAMAGE_MS)
      const times = this.#damaged.length
      this.log.error({ times, waitMs }, 'the index was damaged repeatedly; the next rebuild waits')
      this.#completeLater(waitMs)
    }
  }

  #completeLater(ms: number): void {
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.completeCopies(), ms).unref()
  }

  /** Gives up drives on which the journal failed. Called by the committer, which blocks commits itself meanwhile. */
  async journalFailed(folders: string[], error: unknown): Promise<void> {
    const drives = this.pool.drives.filter((drive) => folders.includes(drive.journalFolder))
    this.log.error({ err: error, drives: drives.map(({ path }) => path) }, 'a drive cannot write the journal')
    for (const { slot } of drives) await this.#leave(slot)
    this.completeCopies()
  }

  /** Removes journal and index files from drives that no longer keep them: they would still contain deleted data. */
  removeLeftovers(drives: readonly StoreDrive[]): void {
    this.#work = this.#work.then(async () => {
      for (const drive of drives) {
        const isRead = this.index.copies.some(({ slot }) => slot === drive.slot)
        if (!drive.usable || isRead || this.pool.layout.members.includes(drive.slot)) continue
        await drive
          .removeIndex()
          .catch((error) => this.log.warn({ err: error, drive: drive.path }, 'an old index could not be removed'))
      }
    })
  }

  /** Makes copies until there are two, in the background. */
  completeCopies(): void {
    this.#work = this.#work
      .then(() => this.#complete())
      .catch((error) => {
        this.log.error({ err: error }, 'a new copy of the index could not be made; it will be tried again')
        this.#completeLater(RETRY_MS)
      })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#retry)
    await this.#work
  }

  /** Removes a drive from the layout. The last one stays, because the next start must look for the state there. */
  async #leave(slot: number): Promise<void> {
    const drive = this.pool.bySlot(slot)
    if (drive) await this.journal.dropFolder(drive.journalFolder)
    const members = this.pool.layout.members.filter((member) => member !== slot)
    if (members.length > 0) await this.pool.changeLayout({ members })
    if (this.index.copies.length > 1) this.#closeLater(this.index.remove(slot))
  }

  /** Closes it between two commits: the current one may still write to it. */
  #closeLater(copy: IndexCopy | undefined): void {
    if (!copy) return
    this.committer
      .exclusive(() => copy.index.close())
      .catch((error) => this.log.warn({ err: error }, 'closing a copy of the index failed'))
  }

  async #complete(): Promise<void> {
    while (!this.#stopped && this.pool.members.length < Math.min(INDEX_DRIVE_COUNT, this.pool.usable.length)) {
      const candidates = this.pool.usable.filter((drive) => !this.pool.layout.members.includes(drive.slot))
      const next = candidates.find((drive) => drive.state === 'ok') ?? candidates[0]
      if (!next) return
      await this.#join(next)
    }
  }

  /** Adds a drive: it gets the journal from now on, a copy of the index, then the changes made meanwhile. */
  async #join(drive: StoreDrive): Promise<void> {
    const { journal, committer } = this
    this.log.info({ drive: drive.path }, 'making a copy of journal and index')
    await rm(drive.journalFolder, { recursive: true, force: true })
    await rm(drive.indexFolder, { recursive: true, force: true })
    try {
      await this.#rotate([...journal.folders, drive.journalFolder])
      await this.#copySegments(drive.journalFolder)
      const index = await this.#copyIndex(drive)
      await this.#catchUp(index)
      await committer.exclusive(async () => {
        await this.#catchUp(index)
        await index.flushed()
        this.index.add({ slot: drive.slot, index })
        await this.pool.changeLayout({ members: [...this.pool.members.map(({ slot }) => slot), drive.slot] })
        // The copy of a lost drive, which was kept because it was the last one.
        const lost = this.index.copies.find(({ slot }) => !this.pool.layout.members.includes(slot))
        if (lost) this.#closeLater(this.index.remove(lost.slot))
      })
    } catch (error) {
      await committer.exclusive(() => journal.dropFolder(drive.journalFolder))
      throw error
    }
    this.log.info({ drive: drive.path }, 'the copy of journal and index is complete')
  }

  async #rotate(folders: string[]): Promise<void> {
    const { committer } = this
    await committer.exclusive(async () => {
      const [failed] = await this.journal.rotate(folders, committer.head.frame + 1, committer.head.seq)
      if (failed) throw failed.error
    })
  }

  async #copySegments(to: string): Promise<void> {
    const [from] = this.journal.folders
    if (!from || from === to) return
    const there = new Set(await readdir(to))
    for (const { name } of await listSegments([from])) {
      // A segment may be removed during the copy; then it is no longer needed.
      if (!there.has(name)) await copyFile(join(from, name), join(to, name)).catch(() => undefined)
    }
    await syncFolder(to)
  }

  async #copyIndex(drive: StoreDrive): Promise<LmdbIndex> {
    const source = this.index.copies.find((copy) => copy.index instanceof LmdbIndex)?.index
    if (!(source instanceof LmdbIndex)) throw new TypeError('there is no index to copy')
    await makeFolder(drive.indexFolder)
    await source.copyTo(drive.indexFolder)
    let pages = 0
    for (const _ of checkIndexFileInSteps(drive.indexFolder)) if (++pages % 100 === 0) await yieldToOthers()
    return LmdbIndex.open(drive.indexFolder)
  }

  async #catchUp(index: LmdbIndex): Promise<void> {
    const { frame: last } = this.committer.applied
    const { frame } = index.position()
    if (frame >= last) return
    for await (const next of readFrames(this.journal.folders, { from: frame + 1 })) {
      if (next.position.frame > last) return
      await replayFrame(index, withoutUnusableOps(next, this.log))
    }
  }
}
