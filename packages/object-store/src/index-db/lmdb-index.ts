import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { chmod, rename, rm, statfs } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb'
import { isDiskFull, makeFolder, syncFile, syncFolder } from '../drives/durable-files.ts'
import { OWNER_FILE_MODE, OWNER_FOLDER_MODE } from '../lib/folder.ts'
import { checkIndexFile, checkIndexFileInSteps, LMDB_DATA_FILE } from './check-index-file.ts'
import { appendChecksum, stripChecksum } from './entry-checksum.ts'
import { isIndexKey, shortenBound } from './key-bounds.ts'
import {
  decodePosition,
  encodePosition,
  type IndexBatch,
  type IndexEntry,
  type IndexPosition,
  type OrderedIndex,
  POSITION_KEY,
  START_POSITION,
} from './ordered-index.ts'

/** One copy of the index: an LMDB environment in a folder of a drive. */
export class LmdbIndex implements OrderedIndex {
  readonly #db: RootDatabase<Buffer, Buffer>
  #position: IndexPosition

  private constructor(
    db: RootDatabase<Buffer, Buffer>,
    private readonly folder: string,
  ) {
    this.#db = db
    const stored = db.get(POSITION_KEY)
    this.#position = stored ? decodePosition(stripChecksum(POSITION_KEY, stored)) : START_POSITION
  }

  /**
   * Opens or creates. A damaged file can end the process by a signal: check it first (`check-index-file.ts`).
   * @param folder made if it is missing
   * @throws DamagedEntry when the position cannot be read
   */
  static open(folder: string): LmdbIndex {
    // It only contains readers of other processes, which do not exist: the data folder is locked.
    rmSync(join(folder, 'lock.mdb'), { force: true })
    // lmdb would make it with the rights that the process gives.
    if (!existsSync(folder)) mkdirSync(folder, OWNER_FOLDER_MODE)
    // Frames are already batches. With lmdb's own batching, a failed commit would also reject an inaccessible promise, which
    // would end the process.
    const options: RootDatabaseOptionsWithPath & { permissionsMode: number } = {
      path: folder,
      keyEncoding: 'binary',
      encoding: 'binary',
      noSubdir: false,
      eventTurnBatching: false,
      // Missing in lmdb's types.
      permissionsMode: OWNER_FILE_MODE,
    }
    const db = open<Buffer, Buffer>(options)
    return new LmdbIndex(db, folder)
  }

  get(key: Uint8Array): Buffer | undefined {
    // lmdb throws for a key that it would never have taken; such a key is simply absent.
    if (!isIndexKey(key)) return undefined
    // lmdb's types know no Uint8Array for a Buffer key, though it takes one.
    const sealed = this.#db.getBinary(key as Buffer)
    return sealed && stripChecksum(key, sealed)
  }

  *range(from: Uint8Array, to: Uint8Array, options: { reverse?: boolean } = {}): Generator<IndexEntry> {
    const start = shortenBound(from)
    const end = shortenBound(to)
    if (Buffer.compare(start, end) >= 0) return
    // Backwards, lmdb begins at `start` (inclusive) and ends before `end`; ours are the same bounds in both directions.
    const entries = options.reverse
      ? this.#db.getRange({ start: end as Buffer, end: start as Buffer, reverse: true })
      : this.#db.getRange({ start: start as Buffer, end: end as Buffer })
    for (const { key, value } of entries) {
      if (options.reverse && Buffer.compare(key, end) >= 0) continue
      yield { key, value: stripChecksum(key, value) }
    }
    if (!options.reverse) return
    const first = this.#db.getBinary(start as Buffer)
    if (first) yield { key: Buffer.from(start), value: stripChecksum(start, first) }
  }

  async apply(batch: IndexBatch): Promise<void> {
    try {
      await this.#commit(batch)
    } catch (error) {
      if (isDiskFull(error)) throw error
      // The disk may have been full a moment ago. If it is broken, it is so the second time too.
      await this.#commit(batch)
    }
    this.#position = batch.position
  }

  async #commit(batch: IndexBatch): Promise<void> {
    let last: Promise<unknown> | undefined
    // Each write has a promise (usually the same one), which is rejected with the batch.
    const take = (written: Promise<unknown>) => {
      if (written !== last) written.catch(() => undefined)
      last = written
    }
    try {
      await this.#db.batch(() => {
        for (const { key, value } of batch.ops) take(value ? this.#db.put(key, value) : this.#db.remove(key))
        take(this.#db.put(POSITION_KEY, appendChecksum(POSITION_KEY, encodePosition(batch.position))))
      })
    } catch (error) {
      throw await commitFailure(error, this.folder)
    }
  }

  position(): IndexPosition {
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
    await chmod(join(folder, LMDB_DATA_FILE), OWNER_FILE_MODE)
  }

  /**
   * Replaces the file by a copy with only the present entries, closes this index and opens the new one. There must be no
   * readers.
   */
  async compact(): Promise<LmdbIndex> {
    const beside = join(this.folder, 'compact')
    await rm(beside, { recursive: true, force: true })
    await makeFolder(beside)
    await this.copyTo(beside)
    checkIndexFile(beside)
    await syncFile(join(beside, LMDB_DATA_FILE))
    await this.close()
    await rename(join(beside, LMDB_DATA_FILE), join(this.folder, LMDB_DATA_FILE))
    await syncFolder(this.folder)
    await rm(beside, { recursive: true, force: true })
    return LmdbIndex.open(this.folder)
  }

  /** Checks the file while the index is in use, in steps, against a state that is held until the last one. */
  *check(): Generator<void> {
    const held = this.#db.useReadTransaction()
    try {
      yield* checkIndexFileInSteps(this.folder)
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
const MIN_FREE_BYTES = 2 ** 20

/** The cause of a failed commit: LMDB reports it by another promise, and a full disk often as a short write (EIO). */
async function commitFailure(error: unknown, folder: string): Promise<unknown> {
  const commitCause = error instanceof Error && 'commitError' in error ? error.commitError : undefined
  const cause: unknown = commitCause instanceof Promise ? await commitCause.catch((reason: unknown) => reason) : error
  if (!isDiskFull(cause)) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === constants.errno.EIO)) return cause
    const room = await statfs(folder).then(
      ({ bsize, bavail }) => bsize * bavail,
      () => Number.POSITIVE_INFINITY,
    )
    if (room >= MIN_FREE_BYTES) return cause
  }
  return Object.assign(new Error('no space left for the index', { cause }), { code: 'ENOSPC' })
}
