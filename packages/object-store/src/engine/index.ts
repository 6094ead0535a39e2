import { mkdir, readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { BlobStore } from '../blobs/store.ts'
import { removeBlob, settleBlob } from '../blobs/writer.ts'
import { type DrivePool, openDrives } from '../drives/pool.ts'
import { Mirror } from '../index-db/mirror.ts'
import { Journal } from '../journal/journal.ts'
import { listSegments } from '../journal/segment.ts'
import { BucketTable, describeBucket } from './bucket-table.ts'
import * as buckets from './buckets.ts'
import { Collector } from './collector.ts'
import { Committer } from './committer.ts'
import type { Core, Log } from './core.ts'
import * as documents from './documents.ts'
import { Feed } from './feed.ts'
import { keys } from './keys.ts'
import * as listing from './listing.ts'
import { lockFolder } from './lock.ts'
import * as objects from './objects.ts'
import { decodeBlob } from './records.ts'
import { recoverIndex } from './recover.ts'
import type * as types from './types.ts'
import * as uploads from './uploads.ts'

const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

/**
 * Opens the data folder and its drives, or makes them; brings the index to the journal's end.
 * @throws DataFolderLocked, and Error with what is wrong with a drive
 */
export async function openEngine(options: types.EngineOptions): Promise<types.Engine> {
  const data = resolve(options.data)
  await mkdir(data, { recursive: true })
  const unlock = await lockFolder(data)
  try {
    const pool = await openDrives(data, options.drives, options.minFree)
    return await StoreEngine.start(pool, options, unlock)
  } catch (error) {
    await unlock()
    throw error
  }
}

/** Binds the operations to one set of drives. */
class StoreEngine implements types.Engine {
  readonly deploymentId: string
  readonly startedAt: number
  readonly #core: Core
  readonly #feed: Feed
  readonly #collector: Collector
  readonly #journal: Journal
  readonly #unlock: () => Promise<void>

  static async start(pool: DrivePool, options: types.EngineOptions, unlock: () => Promise<void>): Promise<StoreEngine> {
    const log = options.log ?? SILENT
    const copies = await recoverIndex(pool, log)
    const journal = new Journal()
    const [first] = copies
    const position = first?.index.position() ?? { frame: 0, seq: 0 }
    await journal.rotate(
      copies.map(({ drive }) => drive.journalFolder),
      position.frame + 1,
      position.seq,
    )
    const index = new Mirror(
      copies.map(({ drive, index }) => ({ slot: drive.slot, index })),
      (copy, error) => log.error({ err: error, slot: copy.slot }, 'a copy of the index was given up'),
    )
    const engine = new StoreEngine(pool, index, journal, options, log, unlock)
    await engine.#sweepTemporary()
    engine.#collector.start()
    return engine
  }

  private constructor(
    pool: DrivePool,
    index: Mirror,
    journal: Journal,
    options: types.EngineOptions,
    log: Log,
    unlock: () => Promise<void>,
  ) {
    const now = options.now ?? Date.now
    this.deploymentId = pool.layout.deploymentId
    this.startedAt = now()
    this.#journal = journal
    this.#unlock = unlock
    const position = () => index.copies[0]?.index.position() ?? { frame: 0, seq: 0 }
    const committer = new Committer({
      index,
      journal,
      now,
      onJournalFailed: async (failed) => {
        const gone = failed.map(({ folder }) => pool.drives.find((drive) => drive.journalFolder === folder)?.slot)
        log.error({ err: failed[0]?.error, slots: gone }, 'a drive does not take the journal any more')
        for (const slot of gone) if (slot !== undefined) index.remove(slot)
        await pool.changeLayout({ members: pool.layout.members.filter((slot) => !gone.includes(slot)) })
      },
      onChanges: (changes) => this.#feed.publish(changes),
      onRotated: () =>
        void this.#trimJournal().catch((error) => log.error({ err: error }, 'trimming the journal failed')),
    })
    this.#feed = new Feed({
      folders: () => journal.folders,
      position,
      frameBehind: async (seq) => {
        const segments = await listSegments(journal.folders)
        return segments.findLast((segment) => segment.seq <= seq)?.frame
      },
      onError: (error) => log.error({ err: error }, 'a listener of the feed failed'),
    })
    const blobs = new BlobStore(pool, {
      onDamaged: (blob, slot, error) => log.warn({ err: error, blob, slot }, 'a copy of a blob is damaged'),
      onDriveError: (drive, error) => log.warn({ err: error, drive: drive.path }, 'a drive failed'),
    })
    this.#core = {
      pool,
      index,
      committer,
      blobs,
      buckets: new BucketTable(index),
      now,
      log,
      collect: () => this.#collector.start(),
    }
    this.#collector = new Collector(this.#core)
  }

  listBuckets(): types.BucketInfo[] {
    return this.#core.buckets.list()
  }
  getBucket(name: string): types.BucketInfo {
    return describeBucket(name, this.#core.buckets.require(name))
  }
  createBucket(name: string, options?: { objectLock?: boolean }) {
    return buckets.createBucket(this.#core, name, options)
  }
  deleteBucket(name: string, options?: { force?: boolean }) {
    return buckets.deleteBucket(this.#core, name, options)
  }
  getBucketSetting(name: string, setting: types.BucketSetting) {
    return buckets.getBucketSetting(this.#core, name, setting)
  }
  setBucketSetting(name: string, setting: types.BucketSetting, value: string | undefined) {
    return buckets.setBucketSetting(this.#core, name, setting, value)
  }
  usage(bucket: string): types.BucketUsage {
    return buckets.usage(this.#core, bucket)
  }

  putObject(bucket: string, key: string, body: Readable, options: types.PutOptions) {
    return objects.putObject(this.#core, bucket, key, body, options)
  }
  getObject(bucket: string, key: string, versionId?: string): types.ObjectHandle {
    return objects.getObject(this.#core, bucket, key, versionId)
  }
  deleteObject(bucket: string, key: string, options?: types.DeleteOptions) {
    return objects.deleteObject(this.#core, bucket, key, options)
  }
  deleteObjects(bucket: string, entries: { key: string; versionId?: string }[], options?: types.DeleteOptions) {
    return objects.deleteObjects(this.#core, bucket, entries, options)
  }
  copyObject(source: types.ObjectHandle, bucket: string, key: string, options: Omit<types.PutOptions, 'size'>) {
    return objects.copyObject(this.#core, source, bucket, key, options)
  }
  setObjectTags(bucket: string, key: string, versionId: string | undefined, tags: Record<string, string>) {
    return objects.setObjectTags(this.#core, bucket, key, versionId, tags)
  }

  listObjects(bucket: string, query: types.ListQuery): types.ListPage {
    return listing.listObjects(this.#core, bucket, query)
  }
  listVersions(bucket: string, query: types.ListQuery & { versionMarker?: string }): types.ListPage {
    return listing.listVersions(this.#core, bucket, query)
  }

  createUpload(bucket: string, key: string, options: types.UploadOptions) {
    return uploads.createUpload(this.#core, bucket, key, options)
  }
  getUpload(bucket: string, key: string, uploadId: string): types.UploadInfo {
    return uploads.getUpload(this.#core, bucket, key, uploadId)
  }
  putPart(bucket: string, key: string, id: string, part: number, body: Readable, options: types.PartOptions) {
    return uploads.putPart(this.#core, bucket, key, id, part, body, options)
  }
  copyPart(
    source: types.ObjectHandle,
    range: { start: number; end: number } | undefined,
    bucket: string,
    key: string,
    uploadId: string,
    part: number,
  ) {
    return uploads.copyPart(this.#core, source, range, bucket, key, uploadId, part)
  }
  completeUpload(
    bucket: string,
    key: string,
    uploadId: string,
    parts: types.CompletePart[],
    options: types.CompleteOptions,
  ) {
    return uploads.completeUpload(this.#core, bucket, key, uploadId, parts, options)
  }
  abortUpload(bucket: string, key: string, uploadId: string) {
    return uploads.abortUpload(this.#core, bucket, key, uploadId)
  }
  listParts(bucket: string, key: string, uploadId: string, after: number, limit: number) {
    return uploads.listParts(this.#core, bucket, key, uploadId, after, limit)
  }
  listUploads(bucket: string, query: types.ListQuery & { uploadMarker?: string }): types.UploadPage {
    return uploads.listUploads(this.#core, bucket, query)
  }

  getDocument(collection: string, name: string): string | undefined {
    return documents.getDocument(this.#core, collection, name)
  }
  listDocuments(collection: string): { name: string; value: string }[] {
    return documents.listDocuments(this.#core, collection)
  }
  putDocuments(changes: { collection: string; name: string; value: string | undefined }[]) {
    return documents.putDocuments(this.#core, changes)
  }

  subscribe(listener: (change: types.Change) => void, after?: number): () => void {
    return this.#feed.subscribe(listener, after)
  }

  drives(): types.DriveState[] {
    const { pool, index } = this.#core
    return pool.drives.map((drive) => {
      const used = index.get(keys.driveUse(drive.slot))
      return {
        path: drive.path,
        id: drive.id,
        state: drive.state,
        ...(drive.reason !== undefined && { reason: drive.reason }),
        total: drive.total,
        free: drive.free,
        used: used ? Number(used.toString('latin1')) : 0,
        keepsIndex: pool.layout.members.includes(drive.slot),
      }
    })
  }

  async close(): Promise<void> {
    await this.#collector.stop()
    await this.#core.committer.drained()
    for (const { index } of this.#core.index.copies) await index.close()
    await this.#journal.close()
    await this.#unlock()
  }

  /** Files in the temporary folders belong to a committed blob, and get their names, or to nobody, and go. */
  async #sweepTemporary(): Promise<void> {
    const { pool, index } = this.#core
    for (const drive of pool.usable) {
      for (const blob of await readdir(drive.temporaryFolder)) {
        const value = index.get(keys.blob(blob))
        if (value && decodeBlob(value).slots.includes(drive.slot)) await settleBlob(drive, blob)
        else await removeBlob(drive, blob)
      }
    }
  }

  async #trimJournal(): Promise<void> {
    const { index } = this.#core
    await index.flushed()
    const frames = index.copies.map((copy) => copy.index.position())
    const cursors = this.listDocuments('cursors').map(({ value }) => Number(value))
    await this.#journal.trim(
      Math.min(...frames.map(({ frame }) => frame)),
      Math.min(...frames.map(({ seq }) => seq), ...cursors),
    )
  }
}
