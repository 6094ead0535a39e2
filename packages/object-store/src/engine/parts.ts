import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { successor } from '../index-db/bounds.ts'
import { linkSegments, releaseSegments } from './blob-references.ts'
import { receive } from './body.ts'
import type { Core } from './core.ts'
import { bucketIn } from './enter-version.ts'
import { noSuchKey } from './failures.ts'
import { isInternal } from './get-object.ts'
import { keys } from './keys.ts'
import { decodePart, encodePart, type PartRecord, type Segment } from './records.ts'
import type { Transaction } from './transaction.ts'
import type { ObjectHandle, PartInfo, PartOptions } from './types.ts'
import { requireUpload } from './uploads.ts'

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
  if (source.data) {
    const body = Readable.from([source.data.subarray(start, end)], { objectMode: false })
    return putPart(core, bucket, key, uploadId, part, body, {})
  }
  const { number } = core.buckets.require(bucket)
  requireUpload(core.index, number, key, uploadId)
  const md5 = createHash('md5')
  if (end > start) for await (const chunk of source.read({ start, end: end - 1 })) md5.update(chunk)
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
