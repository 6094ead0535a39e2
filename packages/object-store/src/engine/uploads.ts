import { createHash, randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { S3Error } from '../errors.ts'
import type { IndexReader } from '../index-db/mirror.ts'
import { linkSegments, releaseSegments } from './blob-references.ts'
import { receive } from './body.ts'
import { compositeChecksum } from './composite-checksum.ts'
import type { Core } from './core.ts'
import { keyBytes, noSuchKey, noSuchUpload } from './failures.ts'
import { BUCKET_PREFIX, keys, successor } from './keys.ts'
import { behind, scanTable, walk } from './listing.ts'
import { bucketIn, enterVersion, isInternal } from './objects.ts'
import {
  decodePart,
  decodeUpload,
  encodePart,
  encodeUpload,
  type PartRecord,
  type PartSize,
  type Segment,
  type UploadRecord,
} from './records.ts'
import type { Transaction } from './transaction.ts'
import type {
  CompleteOptions,
  CompletePart,
  ListQuery,
  ObjectHandle,
  ObjectInfo,
  PartInfo,
  PartOptions,
  UploadInfo,
  UploadOptions,
  UploadPage,
} from './types.ts'

/** Bytes that every part but the last must have. */
const SMALLEST_PART = 5 * 2 ** 20

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
function requireUpload(index: IndexReader, number: number, key: string, uploadId: string): UploadRecord {
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

export async function putPart(
  core: Core,
  bucket: string,
  key: string,
  uploadId: string,
  part: number,
  body: Readable,
  options: PartOptions,
): Promise<PartInfo> {
  const { number } = core.buckets.require(bucket)
  requireUpload(core.index, number, key, uploadId)
  core.pool.checkRoom(options.size ?? 0)
  const received = await receive(core, body, { size: options.size, inline: false })
  const { size, md5 } = received
  let info: PartInfo
  try {
    const checksum = await options.check?.({ size, md5 })
    info = await core.committer.commit((tx) => {
      const segments = received.enter(tx)
      const record = { size, etag: md5, lastModified: core.now(), ...(checksum && { checksum }), segments }
      return enterPart(tx, bucket, key, uploadId, part, record)
    })
  } catch (error) {
    await received.discard()
    throw error
  }
  received.settle()
  return info
}

/** Enters a part in the place of one with its number. */
function enterPart(
  tx: Transaction,
  bucket: string,
  key: string,
  uploadId: string,
  part: number,
  record: PartRecord,
): PartInfo {
  const { number } = bucketIn(tx, bucket)
  requireUpload(tx, number, key, uploadId)
  const partKey = keys.part(number, uploadId, part)
  const before = tx.get(partKey)
  if (before) releaseSegments(tx, decodePart(before).segments)
  tx.put(partKey, encodePart(record))
  return describePart(part, record)
}

function describePart(part: number, { segments: _, ...record }: PartRecord): PartInfo {
  return { part, ...record }
}

export async function copyPart(
  core: Core,
  source: ObjectHandle,
  range: { start: number; end: number } | undefined,
  bucket: string,
  key: string,
  uploadId: string,
  part: number,
): Promise<PartInfo> {
  if (!isInternal(source)) throw new TypeError('the source is not a handle of this engine')
  const start = range?.start ?? 0
  const end = range ? Math.min(range.end + 1, source.info.size) : source.info.size
  // The ETag is the MD5 of the part's bytes, so they are read once; those in the index are too few to link.
  if (source.data) return putPart(core, bucket, key, uploadId, part, source.read({ start, end: end - 1 }), {})
  const { number } = core.buckets.require(bucket)
  requireUpload(core.index, number, key, uploadId)
  const md5 = createHash('md5')
  if (end > start) for await (const chunk of source.read({ start, end: end - 1 })) md5.update(chunk as Buffer)
  const segments = cut(source.segments, start, end)
  const info = await core.committer.commit((tx) => {
    if (!linkSegments(tx, segments)) throw noSuchKey(source.info.key)
    const record = { size: end - start, etag: md5.digest('hex'), lastModified: core.now(), segments }
    return enterPart(tx, bucket, key, uploadId, part, record)
  })
  return info
}

/** The segments of `[start, end)`. */
function cut(segments: Segment[], start: number, end: number): Segment[] {
  let at = 0
  return segments.flatMap(({ blob, offset, length }) => {
    const from = Math.max(start - at, 0)
    const to = Math.min(end - at, length)
    at += length
    return from < to ? [{ blob, offset: offset + from, length: to - from }] : []
  })
}

export async function completeUpload(
  core: Core,
  bucket: string,
  key: string,
  uploadId: string,
  parts: CompletePart[],
  options: CompleteOptions,
): Promise<ObjectInfo> {
  core.buckets.require(bucket)
  core.pool.checkRoom(0)
  const info = await core.committer.commit((tx) => {
    const { number } = bucketIn(tx, bucket)
    const upload = requireUpload(tx, number, key, uploadId)
    const chosen = choose(tx, number, uploadId, parts)
    const used = new Set(parts.map(({ part }) => part))
    // The chosen parts' references go over to the object; the other parts are dropped.
    removeParts(tx, number, uploadId, (part) => !used.has(part))
    tx.remove(keys.upload(number, keyBytes(key), uploadId))
    const checksum = compositeChecksum(upload, chosen, options.checksum)
    return enterVersion(core, tx, bucket, key, {
      size: chosen.reduce((sum, { size }) => sum + size, 0),
      etag: etagOfParts(chosen),
      headers: upload.headers,
      metadata: upload.metadata,
      tags: upload.tags,
      checksum,
      body: { kind: 'segments', segments: chosen.flatMap(({ segments }) => segments), parts: chosen.map(partSize) },
      condition: options.condition,
      versionId: upload.versionId,
      lastModified: upload.lastModified,
      type: 'object-complete',
    })
  })
  return info
}

function partSize({ size, checksum }: PartRecord): PartSize {
  return { size, ...(checksum && { checksum: checksum.value }) }
}

function etagOfParts(parts: PartRecord[]): string {
  const md5 = createHash('md5')
  for (const { etag } of parts) md5.update(etag, 'hex')
  return `${md5.digest('hex')}-${parts.length}`
}

/** The parts named, checked. @throws S3Error InvalidPart, InvalidPartOrder, EntityTooSmall */
function choose(tx: Transaction, bucket: number, uploadId: string, named: CompletePart[]): PartRecord[] {
  if (named.length === 0) throw new S3Error('InvalidRequest', 'You must specify at least one part')
  if (named.some(({ part }, i) => i > 0 && part <= (named[i - 1]?.part ?? 0))) {
    const text =
      'The list of parts was not in ascending order. The parts list must be specified in order by part number.'
    throw new S3Error('InvalidPartOrder', text)
  }
  return named.map(({ part, etag, checksum }, i) => {
    const value = tx.get(keys.part(bucket, uploadId, part))
    const record = value && decodePart(value)
    if (!record || record.etag !== etag || (checksum !== undefined && checksum !== record.checksum?.value)) {
      const text =
        "One or more of the specified parts could not be found.  The part may not have been uploaded, or the specified entity tag may not match the part's entity tag."
      throw new S3Error('InvalidPart', text, { detail: { PartNumber: String(part), ETag: etag } })
    }
    if (i < named.length - 1 && record.size < SMALLEST_PART) {
      throw new S3Error('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed object size.', {
        detail: { PartNumber: String(part), ProposedSize: String(record.size) },
      })
    }
    return record
  })
}

/** Removes an upload's parts; the bytes of those for which `release` says so as well. */
function removeParts(tx: Transaction, bucket: number, uploadId: string, release: (part: number) => boolean): void {
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

export function listParts(
  core: Core,
  bucket: string,
  key: string,
  uploadId: string,
  after: number,
  limit: number,
): { parts: PartInfo[]; truncated: boolean } {
  const { number } = core.buckets.require(bucket)
  requireUpload(core.index, number, key, uploadId)
  const parts: PartInfo[] = []
  const start = keys.part(number, uploadId, Math.min(Math.max(after, 0) + 1, 0xffff))
  for (const entry of core.index.range(start, successor(keys.partsOf(number, uploadId)))) {
    if (parts.length >= limit) return { parts, truncated: true }
    parts.push(describePart(entry.key.readUInt16BE(entry.key.length - 2), decodePart(entry.value)))
  }
  return { parts, truncated: false }
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
