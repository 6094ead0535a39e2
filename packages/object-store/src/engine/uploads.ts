import { randomBytes } from 'node:crypto'
import { successor } from '../index-db/bounds.ts'
import { releaseSegments } from './blob-references.ts'
import type { Core } from './core.ts'
import { newObjectKey, wrapObjectKey } from './encryption.ts'
import { bucketIn, describeEncryption } from './enter-version.ts'
import { checkVersionId, keyBytes, noSuchUpload } from './failures.ts'
import { BUCKET_PREFIX, keys } from './keys.ts'
import { behind, scanTable, walk } from './listing.ts'
import { decodePart, decodeUpload, encodeUpload, type UploadRecord } from './records.ts'
import type { Transaction } from './transaction.ts'
import type { ListQuery, UploadInfo, UploadName, UploadOptions, UploadPage } from './types.ts'
import { lockOfNew } from './version-lock.ts'

/** Sorts after the zero byte that ends an object key in the table of uploads. Keys cannot contain zero bytes. */
const ONE = Buffer.from([1])

/** Maximum length of an upload ID from a caller: longer ones would not fit into index keys. The engine's own are shorter. */
const MAX_UPLOAD_ID = 64

export async function createUpload(
  core: Core,
  bucket: string,
  key: string,
  options: UploadOptions,
): Promise<UploadInfo> {
  const target = core.buckets.require(bucket)
  const bytes = keyBytes(key)
  checkVersionId(options.versionId)
  core.pool.checkRoom(0)
  const objectKey = await newObjectKey(core, target, options.encryption)
  const { checksumAlgorithm, checksumType, versionId, lastModified, lock, replica } = options
  const record: UploadRecord = {
    startedAt: core.now(),
    headers: options.headers ?? {},
    metadata: options.metadata ?? {},
    tags: options.tags ?? {},
    ...(checksumAlgorithm && { checksumAlgorithm }),
    ...(checksumType && { checksumType }),
    ...(versionId !== undefined && { versionId }),
    ...(lastModified !== undefined && { lastModified }),
    ...(lock && { lock }),
    ...(replica && { replica }),
    ...(objectKey && { encryption: wrapObjectKey(objectKey, { bucket, key }) }),
  }
  return core.commit((tx) => {
    // The number at the start sorts the uploads of a key by the time of their creation.
    const uploadId = `${tx.id().toString(16).padStart(12, '0')}${randomBytes(10).toString('hex')}`
    const entered = bucketIn(core, tx, bucket)
    lockOfNew(entered, lock, core.now())
    const { number } = entered
    tx.put(keys.upload(number, bytes, uploadId), encodeUpload(record))
    tx.note({ type: 'other', bucket, key })
    return { ...describeUpload({ bucket, key, uploadId }, record), bucketNumber: number, record }
  })
}

/** An upload, with the data that the engine needs to continue it. */
interface InternalUpload extends UploadInfo {
  readonly bucketNumber: number
  readonly record: UploadRecord
}

export function getUpload(core: Core, upload: UploadName): InternalUpload {
  const { number } = core.buckets.require(upload.bucket)
  const value = core.index.get(uploadKey(number, upload))
  if (!value) throw noSuchUpload(upload.uploadId)
  const record = decodeUpload(value)
  return { ...describeUpload(upload, record), bucketNumber: number, record }
}

/** Casts the result of `getUpload`. An upload never changes, but may end; see `requireOpen`. */
export function internalUpload(upload: UploadInfo): InternalUpload {
  if (!('record' in upload && 'bucketNumber' in upload)) throw new TypeError('the upload is not one of this engine')
  return upload as InternalUpload
}

/** Checks inside a transaction that an upload has not ended since it was looked up. @throws S3Error NoSuchUpload, NoSuchBucket */
export function requireOpen(core: Core, tx: Transaction, upload: InternalUpload): void {
  const { number } = bucketIn(core, tx, upload.bucket)
  if (number !== upload.bucketNumber || !tx.get(uploadKey(number, upload))) throw noSuchUpload(upload.uploadId)
}

export function uploadKey(number: number, { key, uploadId }: UploadName): Buffer {
  return keys.upload(number, keyBytes(key), uploadId.slice(0, MAX_UPLOAD_ID))
}

function describeUpload({ bucket, key, uploadId }: UploadName, record: UploadRecord): UploadInfo {
  const { versionId: _, lastModified: __, lock: ___, replica: ____, encryption, ...info } = record
  return { bucket, key, uploadId, ...info, ...(encryption && { encryption: describeEncryption(encryption) }) }
}

/** Removes the parts of an upload, and the bytes of those for which `release` returns true. */
function removeParts(tx: Transaction, bucket: number, uploadId: string, release: (part: number) => boolean): void {
  const all = keys.partsOf(bucket, uploadId)
  for (const { key, value } of [...tx.range(all, successor(all))]) {
    tx.remove(key)
    if (release(key.readUInt16BE(key.length - 2))) releaseSegments(tx, decodePart(value).segments)
  }
}

export async function abortUpload(core: Core, name: UploadName): Promise<void> {
  const upload = getUpload(core, name)
  await core.commit((tx) => {
    requireOpen(core, tx, upload)
    removeUpload(tx, upload, () => true)
    tx.note({ type: 'other', bucket: upload.bucket, key: upload.key })
  })
}

/** Removes an upload with its parts, and the bytes of those parts for which `release` returns true. */
export function removeUpload(tx: Transaction, upload: InternalUpload, release: (part: number) => boolean): void {
  removeParts(tx, upload.bucketNumber, upload.uploadId, release)
  tx.remove(uploadKey(upload.bucketNumber, upload))
}

export function listUploads(core: Core, bucket: string, query: ListQuery & { uploadMarker?: string }): UploadPage {
  const { number } = core.buckets.require(bucket)
  const { after, uploadMarker } = query
  const scan = scanTable(core.index, 'm', number)
  const steps = walk(
    function* (start, end) {
      // Keys of the table are object keys, followed by a zero byte and the upload ID.
      for (const { key, entry } of scan(start, end)) yield { key: key.subarray(0, key.indexOf(0)), entry }
    },
    {
      prefix: Buffer.from(query.prefix),
      delimiter: Buffer.from(query.delimiter),
      from: uploadMarker && after !== '' ? Buffer.from(`${after}\0${uploadMarker}\0`) : behind(query, ONE),
    },
  )
  const entries: UploadPage['entries'] = []
  for (const step of steps) {
    if (entries.length >= query.limit) return uploadPage(entries)
    if ('prefix' in step) entries.push({ prefix: step.prefix.toString() })
    else {
      const uploadId = step.entry.key.toString('latin1', BUCKET_PREFIX + step.key.length + 1)
      entries.push({
        upload: describeUpload({ bucket, key: step.key.toString(), uploadId }, decodeUpload(step.entry.value)),
      })
    }
  }
  return { entries, truncated: false }
}

function uploadPage(entries: UploadPage['entries']): UploadPage {
  const last = entries.at(-1)
  if (!last) return { entries, truncated: false }
  const next = 'prefix' in last ? { key: last.prefix } : { key: last.upload.key, uploadId: last.upload.uploadId }
  return { entries, truncated: true, next }
}
