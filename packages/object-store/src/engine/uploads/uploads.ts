import { randomBytes } from 'node:crypto'
import { successor } from '../../index-db/key-bounds.ts'
import { requireBucketInTransaction } from '../buckets/bucket-in-transaction.ts'
import type { Transaction } from '../commit/transaction.ts'
import type { EngineCore } from '../core/engine-core.ts'
import { createObjectKey, wrapObjectKey } from '../encryption/object-encryption.ts'
import type {
  CreateUploadOptions,
  ObjectListQuery,
  UploadInfo,
  UploadListPage,
  UploadName,
} from '../interface/types.ts'
import { describeEncryption } from '../objects/enter-version.ts'
import { firstKeyAfter, scanTable, walkKeys } from '../objects/listing.ts'
import { removeSegmentReferences } from '../records/blob-references.ts'
import { checkNewVersionId, keyBytes, noSuchUpload } from '../records/engine-errors.ts'
import { BUCKET_PREFIX_BYTES, indexKeys } from '../records/index-keys.ts'
import { decodePart, decodeUpload, encodeUpload, type UploadRecord } from '../records/index-records.ts'
import { newVersionLock } from '../versions/version-lock.ts'

/** Sorts after the zero byte that ends an object key in the table of uploads. Keys cannot contain zero bytes. */
const UPLOAD_KEY_SUFFIX = Buffer.from([1])

/** Maximum length of an upload ID from a caller: longer ones would not fit into index keys. The engine's own are shorter. */
const MAX_UPLOAD_ID = 64

export async function createUpload(
  core: EngineCore,
  bucket: string,
  key: string,
  options: CreateUploadOptions,
): Promise<UploadInfo> {
  const target = core.buckets.require(bucket)
  const bytes = keyBytes(key)
  checkNewVersionId(options.versionId)
  core.pool.checkRoom(0)
  const objectKey = await createObjectKey(core, target, options.encryption)
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
    const entered = requireBucketInTransaction(core, tx, bucket)
    newVersionLock(entered, lock, core.now())
    const { number } = entered
    tx.put(indexKeys.upload(number, bytes, uploadId), encodeUpload(record))
    tx.note({ type: 'other', bucket, key })
    return { ...describeUpload({ bucket, key, uploadId }, record), bucketNumber: number, record }
  })
}

/** An upload, with the data that the engine needs to continue it. */
interface InternalUpload extends UploadInfo {
  readonly bucketNumber: number
  readonly record: UploadRecord
}

export function getUpload(core: EngineCore, upload: UploadName): InternalUpload {
  const { number } = core.buckets.require(upload.bucket)
  const value = core.index.get(uploadIndexKey(number, upload))
  if (!value) throw noSuchUpload(upload.uploadId)
  const record = decodeUpload(value)
  return { ...describeUpload(upload, record), bucketNumber: number, record }
}

/** Casts the result of `getUpload`. An upload never changes, but may end; see `requireOpenUpload`. */
export function requireInternalUpload(upload: UploadInfo): InternalUpload {
  if (!('record' in upload && 'bucketNumber' in upload)) throw new TypeError('the upload is not one of this engine')
  return upload as InternalUpload
}

/** Checks inside a transaction that an upload has not ended since it was looked up. @throws S3Error NoSuchUpload, NoSuchBucket */
export function requireOpenUpload(core: EngineCore, tx: Transaction, upload: InternalUpload): void {
  const { number } = requireBucketInTransaction(core, tx, upload.bucket)
  if (number !== upload.bucketNumber || !tx.get(uploadIndexKey(number, upload))) throw noSuchUpload(upload.uploadId)
}

export function uploadIndexKey(number: number, { key, uploadId }: UploadName): Buffer {
  return indexKeys.upload(number, keyBytes(key), uploadId.slice(0, MAX_UPLOAD_ID))
}

function describeUpload({ bucket, key, uploadId }: UploadName, record: UploadRecord): UploadInfo {
  const { versionId: _, lastModified: __, lock: ___, replica: ____, encryption, ...info } = record
  return { bucket, key, uploadId, ...info, ...(encryption && { encryption: describeEncryption(encryption) }) }
}

/** Removes the parts of an upload, and the bytes of those for which `release` returns true. */
function removeParts(tx: Transaction, bucket: number, uploadId: string, release: (part: number) => boolean): void {
  const all = indexKeys.uploadParts(bucket, uploadId)
  for (const { key, value } of [...tx.range(all, successor(all))]) {
    tx.remove(key)
    if (release(key.readUInt16BE(key.length - 2))) removeSegmentReferences(tx, decodePart(value).segments)
  }
}

export async function abortUpload(core: EngineCore, name: UploadName): Promise<void> {
  const upload = getUpload(core, name)
  await core.commit((tx) => {
    requireOpenUpload(core, tx, upload)
    removeUpload(tx, upload, () => true)
    tx.note({ type: 'other', bucket: upload.bucket, key: upload.key })
  })
}

/** Removes an upload with its parts, and the bytes of those parts for which `release` returns true. */
export function removeUpload(tx: Transaction, upload: InternalUpload, release: (part: number) => boolean): void {
  removeParts(tx, upload.bucketNumber, upload.uploadId, release)
  tx.remove(uploadIndexKey(upload.bucketNumber, upload))
}

export function listUploads(
  core: EngineCore,
  bucket: string,
  query: ObjectListQuery & { uploadMarker?: string },
): UploadListPage {
  const { number } = core.buckets.require(bucket)
  const { after, uploadMarker } = query
  const scan = scanTable(core.index, 'm', number)
  const steps = walkKeys(
    function* (start, end) {
      // Keys of the table are object keys, followed by a zero byte and the upload ID.
      for (const { key, entry } of scan(start, end)) yield { key: key.subarray(0, key.indexOf(0)), entry }
    },
    {
      prefix: Buffer.from(query.prefix),
      delimiter: Buffer.from(query.delimiter),
      from:
        uploadMarker && after !== ''
          ? Buffer.from(`${after}\0${uploadMarker}\0`)
          : firstKeyAfter(query, UPLOAD_KEY_SUFFIX),
    },
  )
  const entries: UploadListPage['entries'] = []
  for (const step of steps) {
    if (entries.length >= query.limit) return uploadPage(entries)
    if ('prefix' in step) entries.push({ prefix: step.prefix.toString() })
    else {
      const uploadId = step.entry.key.toString('latin1', BUCKET_PREFIX_BYTES + step.key.length + 1)
      entries.push({
        upload: describeUpload({ bucket, key: step.key.toString(), uploadId }, decodeUpload(step.entry.value)),
      })
    }
  }
  return { entries, truncated: false }
}

function uploadPage(entries: UploadListPage['entries']): UploadListPage {
  const last = entries.at(-1)
  if (!last) return { entries, truncated: false }
  const next = 'prefix' in last ? { key: last.prefix } : { key: last.upload.key, uploadId: last.upload.uploadId }
  return { entries, truncated: true, next }
}
