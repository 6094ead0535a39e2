import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { chmod, rename, rm, statfs } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb'
import { isFull, makeFolder, syncFile, syncFolder } from '../drives/files.ts'
import { OWNER_FILE, OWNER_ONLY } from '../folder.ts'
import { fitBound, isIndexKey } from './bounds.ts'
import { checkFile, checkSteps, DATA_FILE } from './check-file.ts'
import { seal, unseal } from './seal.ts'
import {
  type Batch,
  decodePosition,
  type Entry,
  encodePosition,
  type OrderedIndex,
  POSITION_KEY,
  type Position,
  START,
} from './types.ts'

/** One copy of the index: an LMDB environment in a folder of a drive. */
export class LmdbIndex implements OrderedIndex {
  readonly #db: RootDatabase<Buffer, Buffer>
  #position: Position

  private constructor(
    db: RootDatabase<Buffer, Buffer>,
    private readonly folder: string,
  ) {
    this.#db = db
    const stored = db.get(POSITION_KEY)
    this.#position = stored ? decodePosition(unseal(POSITION_KEY, stored)) : START
  }

  /**
   * Opens or creates. A damaged file can end the process by a signal: check it first (`check-file.ts`).
   * @param folder made if it is missing
   * @throws DamagedEntry when the position cannot be read
   */
  static open(folder: string): LmdbIndex {
    // It only contains readers of other processes, which do not exist: the data folder is locked.
    rmSync(join(folder, 'lock.mdb'), { force: true })
    // lmdb would make it with the rights that the process gives.
    if (!existsSync(folder)) mkdirSync(folder, OWNER_ONLY)
    // Frames are already batches. With lmdb's own batching, a failed commit would also reject an inaccessible promise, which
    // would end the process.
    const options: RootDatabaseOptionsWithPath & { permissionsMode: number } = {
      path: folder,
      keyEncoding: 'binary',
      encoding: 'binary',
      noSubdir: false,
      eventTurnBatching: false,
      // Missing in lmdb's types.
      permissionsMode: OWNER_FILE,
    }
    const db = open<Buffer, Buffer>(options)
    return new LmdbIndex(db, folder)
  }

  get(key: Uint8Array): Buffer | undefined {
    // lmdb throws for a key that it would never have taken; such a key is simply absent.
    if (!isIndexKey(key)) return undefined
    // lmdb's types know no Uint8Array for a Buffer key, though it takes one.
    const sealed = this.#db.getBinary(key as Buffer)
    return sealed && unseal(key, sealed)
  }

  *range(from: Uint8Array, to: Uint8Array, options: { reverse?: boolean } = {}): Generator<Entry> {
    const start = fitBound(from)
    const end = fitBound(to)
    if (Buffer.compare(start, end) >= 0) return
    // Backwards, lmdb begins at `start` (inclusive) and ends before `end`; ours are the same bounds in both directions.
    const entries = options.reverse
      ? this.#db.getRange({ start: end as Buffer, end: start as Buffer, reverse: true })
      : this.#db.getRange({ start: start as Buffer, end: end as Buffer })
    for (const { key, value } of entries) {
      if (options.reverse && Buffer.compare(key, end) >= 0) continue
      yield { key, value: unseal(key, value) }
    }
    if (!options.reverse) return
    const first = this.#db.getBinary(start as Buffer)
    if (first) yield { key: Buffer.from(start), value: unseal(start, first) }
  }

  async apply(batch: Batch): Promise<void> {
    try {
      await this.#commit(batch)
    } catch (error) {
      if (isFull(error)) throw error
      // The disk may have been full a moment ago. If it is broken, it is so the second time too.
      await this.#commit(batch)
    }
    this.#position = batch.position
  }

  async #commit(batch: Batch): Promise<void> {
    let last: Promise<unknown> | undefined
    // Each write has a promise (usually the same one), which is rejected with the batch.
    const take = (written: Promise<unknown>) => {
      if (written !== last) written.catch(() => undefined)
      last = written
    }
    try {
      await this.#db.batch(() => {
        for (const { key, value } of batch.ops) take(value ? this.#db.put(key, value) : this.#db.remove(key))
        take(this.#db.put(POSITION_KEY, seal(POSITION_KEY, encodePosition(batch.position))))
      })
    } catch (error) {
      throw await commitFailure(error, this.folder)
    }
  }

  position(): Position {
    return this.#position
  }

  visibleFrame(): number {
    const stored = this.get(POSITION_KEY)
    return stored ? decodePosition(stored).frame : 0
  }

  async flushed(): Promise<void> {
    await this.#db.flushed
  }

  /** A whole copy of the present state in `folder`, which exists and is empty. */
  async copyTo(folder: string): Promise<void> {
    await this.#db.backup(folder, true)
    await chmod(join(folder, DATA_FILE), OWNER_FILE)
  }

  /**
   * Replaces the file by a copy with only the present entries, closes this index and opens the new one. There must be no
   * readers.
   */
  async compacted(): Promise<LmdbIndex> {
    const beside = join(this.folder, 'compact')
    await rm(beside, { recursive: true, force: true })
    await makeFolder(beside)
    await this.copyTo(beside)
    checkFile(beside)
    await syncFile(join(beside, DATA_FILE))
    await this.close()
    await rename(join(beside, DATA_FILE), join(this.folder, DATA_FILE))
    await syncFolder(this.folder)
    await rm(beside, { recursive: true, force: true })
    return LmdbIndex.open(this.folder)
  }

  /** Checks the file while the index is in use, in steps, against a state that is held until the last one. */
  *check(): Generator<void> {
    const held = this.#db.useReadTransaction()
    try {
      yield* checkSteps(this.folder)
    } finally {
      held.done()
    }
  }

  async close(): Promise<void> {
    await this.#db.flushed
    await this.#db.close()
  }
}

/** A commit writes up to 64 pages at once; a disk with less room than this may have been too full for them. */
const FULL_BYTES = 2 ** 20

/** The cause of a failed commit: LMDB reports it by another promise, and a full disk often as a short write (EIO). */
async function commitFailure(error: unknown, folder: string): Promise<unknown> {
  const told = error instanceof Error && 'commitError' in error ? error.commitError : undefined
  const cause: unknown = told instanceof Promise ? await told.catch((reason: unknown) => reason) : error
  if (!isFull(cause)) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === constants.errno.EIO)) return cause
    const room = await statfs(folder).then(
      ({ bsize, bavail }) => bsize * bavail,
      () => Number.POSITIVE_INFINITY,
    )
    if (room >= FULL_BYTES) return cause
  }
  return Object.assign(new Error('no space left for the index', { cause }), { code: 'ENOSPC' })
}
