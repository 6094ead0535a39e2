import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { successor } from '../../index-db/key-bounds.ts'
import { S3Error } from '../../lib/errors.ts'
import { checkBucketQuota } from '../buckets/check-bucket-quota.ts'
import type { Transaction } from '../commit/transaction.ts'
import type { EngineCore } from '../core/engine-core.ts'
import { objectEtag, unwrapObjectKey } from '../encryption/object-encryption.ts'
import type { CopySourceRange, PartInfo, PutPartOptions, UploadInfo, UploadName } from '../interface/types.ts'
import { chunksToStream } from '../objects/chunk-stream.ts'
import { isInternalHandle } from '../objects/object-handle.ts'
import { receiveBody } from '../objects/receive-body.ts'
import { addSegmentReferences, removeSegmentReferences } from '../records/blob-references.ts'
import { noSuchKey } from '../records/engine-errors.ts'
import { indexKeys } from '../records/index-keys.ts'
import { type BlobSegment, decodePart, encodePart, type PartRecord } from '../records/index-records.ts'
import { isOnTierOnly } from '../versions/tier-objects.ts'
import { getUpload, requireInternalUpload, requireOpenUpload } from './uploads.ts'

export async function putPart(
  core: EngineCore,
  upload: UploadInfo,
  part: number,
  body: Readable,
  options: PutPartOptions,
): Promise<PartInfo> {
  const open = requireInternalUpload(upload)
  if (options.size !== undefined) checkBucketQuota(core, core.buckets.require(upload.bucket), options.size)
  const key = unwrapUploadKey(core, open, options.customerKey)
  core.pool.checkRoom(options.size ?? 0)
  const received = await receiveBody(core, body, {
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
      const etag = objectEtag(key, md5)
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
function unwrapUploadKey(
  core: EngineCore,
  { bucket, key, record }: ReturnType<typeof requireInternalUpload>,
  customerKey: Buffer | undefined,
) {
  const { encryption } = record
  if (customerKey && encryption?.mode !== 'SSE-C') {
    throw new S3Error('InvalidRequest', 'The encryption parameters are not applicable to this object.')
  }
  return encryption && unwrapObjectKey(core, encryption, { bucket, key }, customerKey)
}

/** Enters a part. It replaces an earlier part with the same number. */
function enterPart(
  core: EngineCore,
  tx: Transaction,
  upload: ReturnType<typeof requireInternalUpload>,
  part: number,
  record: PartRecord,
): PartInfo {
  requireOpenUpload(core, tx, upload)
  const partKey = indexKeys.uploadPart(upload.bucketNumber, upload.uploadId, part)
  const before = tx.get(partKey)
  if (before) removeSegmentReferences(tx, decodePart(before).segments)
  tx.put(partKey, encodePart(record))
  return describePart(part, record)
}

function describePart(part: number, { segments: _, ...record }: PartRecord): PartInfo {
  return { part, ...record }
}

export async function copyPart(
  core: EngineCore,
  { handle: source, range }: CopySourceRange,
  upload: UploadInfo,
  part: number,
  customerKey?: Buffer,
): Promise<PartInfo> {
  if (!isInternalHandle(source)) throw new TypeError('the source is not a handle of this engine')
  const start = range?.start ?? 0
  const end = range ? Math.min(range.end + 1, source.info.size) : source.info.size
  const open = requireInternalUpload(upload)
  // Bytes in the index cannot be linked, and encrypted bytes need the key of their object.
  if (source.storedData || isOnTierOnly(source.record) || source.record.encryption || open.record.encryption) {
    const bytes = end > start ? source.read({ start, end: end - 1 }) : noChunks()
    return putPart(core, upload, part, chunksToStream(bytes), { size: end - start, customerKey })
  }
  checkBucketQuota(core, core.buckets.require(upload.bucket), end - start)
  const md5 = createHash('md5')
  if (end > start) for await (const chunk of source.read({ start, end: end - 1 })) md5.update(chunk)
  const segments = cutSegments(source.segments, start, end)
  const info = await core.commit((tx) => {
    if (!addSegmentReferences(tx, segments)) throw noSuchKey(source.info.key)
    const record = { size: end - start, etag: md5.digest('hex'), lastModified: core.now(), segments }
    return enterPart(core, tx, open, part, record)
  })
  return info
}

async function* noChunks(): AsyncGenerator<Buffer, void, void> {}

/** Returns the segments of `[start, end)`. */
function cutSegments(segments: BlobSegment[], start: number, end: number): BlobSegment[] {
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
  core: EngineCore,
  upload: UploadName,
  { after, limit }: { after: number; limit: number },
): { parts: PartInfo[]; truncated: boolean } {
  const { bucketNumber: number, uploadId } = getUpload(core, upload)
  const parts: PartInfo[] = []
  const start = indexKeys.uploadPart(number, uploadId, Math.min(Math.max(after, 0) + 1, 0xffff))
  for (const entry of core.index.range(start, successor(indexKeys.uploadParts(number, uploadId)))) {
    if (parts.length >= limit) return { parts, truncated: true }
    parts.push(describePart(entry.key.readUInt16BE(entry.key.length - 2), decodePart(entry.value)))
  }
  return { parts, truncated: false }
}
