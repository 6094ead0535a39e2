import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { S3Error } from '../errors.ts'
import { successor } from '../index-db/bounds.ts'
import { linkSegments, releaseSegments } from './blob-references.ts'
import { receive } from './body.ts'
import { streamOf } from './copied-body.ts'
import type { Core } from './core.ts'
import { etagOf, openObjectKey } from './encryption.ts'
import { noSuchKey } from './failures.ts'
import { isInternal } from './get-object.ts'
import { keys } from './keys.ts'
import { refuseOverQuota } from './quota.ts'
import { decodePart, encodePart, type PartRecord, type Segment } from './records.ts'
import { isRemote } from './tiers.ts'
import type { Transaction } from './transaction.ts'
import type { CopyRange, PartInfo, PartOptions, UploadInfo, UploadName } from './types.ts'
import { getUpload, internalUpload, requireOpen } from './uploads.ts'

export async function putPart(
  core: Core,
  upload: UploadInfo,
  part: number,
  body: Readable,
  options: PartOptions,
): Promise<PartInfo> {
  const open = internalUpload(upload)
  if (options.size !== undefined) refuseOverQuota(core, core.buckets.require(upload.bucket), options.size)
  const key = keyOfUpload(core, open, options.customerKey)
  core.pool.checkRoom(options.size ?? 0)
  const received = await receive(core, body, {
    size: options.size,
    inline: false,
    key,
    object: { key: open.key, headers: open.record.headers },
  })
  const { size, md5 } = received
  let info: PartInfo
  try {
    const checksum = await options.check?.({ size, md5 })
    info = await core.commit((tx) => {
      const segments = received.enter(tx)
      const etag = etagOf(key, md5)
      const record = { size, etag, lastModified: core.now(), ...(checksum && { checksum }), segments }
      return enterPart(core, tx, open, part, record)
    })
  } catch (error) {
    await received.discard()
    throw error
  }
  received.settle()
  return info
}

/** @throws S3Error InvalidRequest, InvalidArgument: the customer's key is missing, wrong or not needed */
function keyOfUpload(
  core: Core,
  { bucket, key, record }: ReturnType<typeof internalUpload>,
  customerKey: Buffer | undefined,
) {
  const { encryption } = record
  if (customerKey && encryption?.mode !== 'SSE-C') {
    throw new S3Error('InvalidRequest', 'The encryption parameters are not applicable to this object.')
  }
  return encryption && openObjectKey(core, encryption, { bucket, key }, customerKey)
}

/** Enters a part. It replaces an earlier part with the same number. */
function enterPart(
  core: Core,
  tx: Transaction,
  upload: ReturnType<typeof internalUpload>,
  part: number,
  record: PartRecord,
): PartInfo {
  requireOpen(core, tx, upload)
  const partKey = keys.part(upload.bucketNumber, upload.uploadId, part)
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
  { handle: source, range }: CopyRange,
  upload: UploadInfo,
  part: number,
  customerKey?: Buffer,
): Promise<PartInfo> {
  if (!isInternal(source)) throw new TypeError('the source is not a handle of this engine')
  const start = range?.start ?? 0
  const end = range ? Math.min(range.end + 1, source.info.size) : source.info.size
  const open = internalUpload(upload)
  // Bytes in the index cannot be linked, and encrypted bytes need the key of their object.
  if (source.storedData || isRemote(source.record) || source.record.encryption || open.record.encryption) {
    const bytes = end > start ? source.read({ start, end: end - 1 }) : none()
    return putPart(core, upload, part, streamOf(bytes), { size: end - start, customerKey })
  }
  refuseOverQuota(core, core.buckets.require(upload.bucket), end - start)
  const md5 = createHash('md5')
  if (end > start) for await (const chunk of source.read({ start, end: end - 1 })) md5.update(chunk)
  const segments = cut(source.segments, start, end)
  const info = await core.commit((tx) => {
    if (!linkSegments(tx, segments)) throw noSuchKey(source.info.key)
    const record = { size: end - start, etag: md5.digest('hex'), lastModified: core.now(), segments }
    return enterPart(core, tx, open, part, record)
  })
  return info
}

async function* none(): AsyncGenerator<Buffer, void, void> {}

/** Returns the segments of `[start, end)`. */
function cut(segments: Segment[], start: number, end: number): Segment[] {
  let at = 0
  return segments.flatMap((segment) => {
    const { offset, length } = segment
    const from = Math.max(start - at, 0)
    const to = Math.min(end - at, length)
    at += length
    return from < to ? [{ ...segment, offset: offset + from, length: to - from }] : []
  })
}

export function listParts(
  core: Core,
  upload: UploadName,
  { after, limit }: { after: number; limit: number },
): { parts: PartInfo[]; truncated: boolean } {
  const { bucketNumber: number, uploadId } = getUpload(core, upload)
  const parts: PartInfo[] = []
  const start = keys.part(number, uploadId, Math.min(Math.max(after, 0) + 1, 0xffff))
  for (const entry of core.index.range(start, successor(keys.partsOf(number, uploadId)))) {
    if (parts.length >= limit) return { parts, truncated: true }
    parts.push(describePart(entry.key.readUInt16BE(entry.key.length - 2), decodePart(entry.value)))
  }
  return { parts, truncated: false }
}
