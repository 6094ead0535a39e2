import { randomBytes } from 'node:crypto'
import { successor } from '../index-db/bounds.ts'
import type { IndexReader } from '../index-db/mirror.ts'
import { releaseSegments } from './blob-references.ts'
import type { Core } from './core.ts'
import { bucketIn } from './enter-version.ts'
import { checkVersionId, keyBytes, noSuchUpload } from './failures.ts'
import { BUCKET_PREFIX, keys } from './keys.ts'
import { behind, scanTable, walk } from './listing.ts'
import { decodePart, decodeUpload, encodeUpload, type UploadRecord } from './records.ts'
import type { Transaction } from './transaction.ts'
import type { ListQuery, UploadInfo, UploadOptions, UploadPage } from './types.ts'

/** Object keys hold no zero byte, so this is the least byte that can follow the zero byte's place in the table of uploads. */
const ONE = Buffer.from([1])

export async function createUpload(
  core: Core,
  bucket: string,
  key: string,
  options: UploadOptions,
): Promise<UploadInfo> {
  core.buckets.require(bucket)
  const bytes = keyBytes(key)
  checkVersionId(options.versionId)
  core.pool.checkRoom(0)
  const { checksumAlgorithm, checksumType, versionId, lastModified } = options
  const record: UploadRecord = {
    startedAt: core.now(),
    headers: options.headers ?? {},
    metadata: options.metadata ?? {},
    tags: options.tags ?? {},
    ...(checksumAlgorithm && { checksumAlgorithm }),
    ...(checksumType && { checksumType }),
    ...(versionId !== undefined && { versionId }),
    ...(lastModified !== undefined && { lastModified }),
  }
  return core.committer.commit((tx) => {
    // The number in front puts the uploads of one key in the order of their beginning.
    const uploadId = `${tx.id().toString(16).padStart(12, '0')}${randomBytes(10).toString('hex')}`
    tx.put(keys.upload(bucketIn(tx, bucket).number, bytes, uploadId), encodeUpload(record))
    tx.note({ type: 'other', bucket, key })
    return describeUpload(bucket, key, uploadId, record)
  })
}

/** @throws S3Error NoSuchUpload */
export function requireUpload(index: IndexReader, number: number, key: string, uploadId: string): UploadRecord {
  const value = index.get(keys.upload(number, keyBytes(key), uploadId.slice(0, 64)))
  if (!value) throw noSuchUpload(uploadId)
  return decodeUpload(value)
}

export function getUpload(core: Core, bucket: string, key: string, uploadId: string): UploadInfo {
  const { number } = core.buckets.require(bucket)
  return describeUpload(bucket, key, uploadId, requireUpload(core.index, number, key, uploadId))
}

function describeUpload(bucket: string, key: string, uploadId: string, record: UploadRecord): UploadInfo {
  const { versionId: _, lastModified: __, ...info } = record
  return { bucket, key, uploadId, ...info }
}

/** Removes an upload's parts; the bytes of those for which `release` says so as well. */
export function removeParts(
  tx: Transaction,
  bucket: number,
  uploadId: string,
  release: (part: number) => boolean,
): void {
  const all = keys.partsOf(bucket, uploadId)
  for (const { key, value } of [...tx.range(all, successor(all))]) {
    tx.remove(key)
    if (release(key.readUInt16BE(key.length - 2))) releaseSegments(tx, decodePart(value).segments)
  }
}

export async function abortUpload(core: Core, bucket: string, key: string, uploadId: string): Promise<void> {
  core.buckets.require(bucket)
  await core.committer.commit((tx) => {
    const { number } = bucketIn(tx, bucket)
    requireUpload(tx, number, key, uploadId)
    removeParts(tx, number, uploadId, () => true)
    tx.remove(keys.upload(number, keyBytes(key), uploadId))
    tx.note({ type: 'other', bucket, key })
  })
}

export function listUploads(core: Core, bucket: string, query: ListQuery & { uploadMarker?: string }): UploadPage {
  const { number } = core.buckets.require(bucket)
  const { after, uploadMarker } = query
  const scan = scanTable(core.index, 'm', number)
  const steps = walk(
    function* (start, end) {
      // The table's keys are the object keys with a zero byte and the upload ID behind.
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
        upload: describeUpload(bucket, step.key.toString(), uploadId, decodeUpload(step.entry.value)),
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
