import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { openDrives } from '../drives/pool.ts'
import { closeDataFolder, ensureFolder } from '../folder.ts'
import { KEY_FILE } from '../key-ring/key-file.ts'
import { KeyRing } from '../key-ring/key-ring.ts'
import { assemble, type Running } from './assemble.ts'
import { describeBucket } from './bucket-table.ts'
import * as buckets from './buckets.ts'
import { completeUpload } from './complete-upload.ts'
import type { Core, Log } from './core.ts'
import { deleteObject, deleteObjects } from './delete-object.ts'
import * as documents from './documents.ts'
import { getObject } from './get-object.ts'
import { keys } from './keys.ts'
import * as listing from './listing.ts'
import { lockFolder } from './lock.ts'
import * as objects from './objects.ts'
import * as parts from './parts.ts'
import type * as types from './types.ts'
import * as uploads from './uploads.ts'

const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

/**
 * Opens the data folder and its drives, or makes them; brings the index to the journal's end.
 * @throws DataFolderLocked, and Error with what is wrong with a drive
 */
export async function openEngine(options: types.EngineOptions): Promise<types.Engine> {
  const data = resolve(options.data)
  await ensureFolder(data)
  const unlock = await lockFolder(data)
  try {
    const { now = Date.now, log = SILENT, discardEncrypted = false } = options
    const drives = options.drives.map((path) => resolve(path))
    for (const open of await closeDataFolder(data, drives)) log.warn({}, open)
    const pool = await openDrives(data, drives, options.minFree)
    const keyFile = join(data, KEY_FILE)
    const keyRing = await KeyRing.open(keyFile)
    if (keyRing.isNew) log.info({ keyFile }, 'made the key that encrypts secrets; keep a backup of this file')
    return new StoreEngine(await assemble(pool, { keyRing, now, log, discardEncrypted }), unlock)
  } catch (error) {
    await unlock()
    throw error
  }
}

/** The operations, bound to what they work with. */
class StoreEngine implements types.Engine {
  readonly deploymentId: string
  readonly startedAt: number
  readonly #core: Core
  readonly #running: Running
  readonly #unlock: () => Promise<void>
  #closing: Promise<void> | undefined

  constructor(running: Running, unlock: () => Promise<void>) {
    this.deploymentId = running.core.pool.layout.deploymentId
    this.startedAt = running.core.now()
    this.#core = running.core
    this.#running = running
    this.#unlock = unlock
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
    return getObject(this.#core, bucket, key, versionId)
  }
  deleteObject(bucket: string, key: string, options?: types.DeleteOptions) {
    return deleteObject(this.#core, bucket, key, options)
  }
  deleteObjects(bucket: string, entries: types.DeleteEntry[]) {
    return deleteObjects(this.#core, bucket, entries)
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
    return parts.putPart(this.#core, bucket, key, id, part, body, options)
  }
  copyPart(
    source: types.ObjectHandle,
    range: { start: number; end: number } | undefined,
    bucket: string,
    key: string,
    uploadId: string,
    part: number,
  ) {
    return parts.copyPart(this.#core, source, range, bucket, key, uploadId, part)
  }
  completeUpload(
    bucket: string,
    key: string,
    uploadId: string,
    parts: types.CompletePart[],
    options: types.CompleteOptions,
  ) {
    return completeUpload(this.#core, bucket, key, uploadId, parts, options)
  }
  abortUpload(bucket: string, key: string, uploadId: string) {
    return uploads.abortUpload(this.#core, bucket, key, uploadId)
  }
  listParts(bucket: string, key: string, uploadId: string, after: number, limit: number) {
    return parts.listParts(this.#core, bucket, key, uploadId, after, limit)
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
    return this.#running.feed.subscribe(listener, after)
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
        device: drive.device,
        used: used ? Number(used.toString('latin1')) : 0,
        keepsIndex: pool.layout.members.includes(drive.slot),
      }
    })
  }

  check(signal?: AbortSignal) {
    return this.#running.check(signal)
  }

  close(): Promise<void> {
    this.#closing ??= this.#stop()
    return this.#closing
  }

  async #stop(): Promise<void> {
    try {
      await this.#running.stop()
    } finally {
      await this.#unlock()
    }
  }
}
