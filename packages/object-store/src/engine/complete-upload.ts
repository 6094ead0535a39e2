import { createHash } from 'node:crypto'
import { S3Error } from '../errors.ts'
import { compositeChecksum } from './composite-checksum.ts'
import type { Core } from './core.ts'
import { bucketIn, enterVersion } from './enter-version.ts'
import { keyBytes } from './failures.ts'
import { keys } from './keys.ts'
import { decodePart, type PartRecord, type PartSize } from './records.ts'
import type { Transaction } from './transaction.ts'
import type { CompleteOptions, CompletePart, ObjectInfo } from './types.ts'
import { removeParts, requireUpload } from './uploads.ts'

/** Bytes that every part but the last must have. */
const SMALLEST_PART = 5 * 2 ** 20

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
    const size = chosen.reduce((sum, part) => sum + part.size, 0)
    if (options.size !== undefined && options.size !== size) {
      throw new S3Error('InvalidRequest', `The parts are ${size} bytes, and not ${options.size}.`)
    }
    const used = new Set(parts.map(({ part }) => part))
    // The chosen parts' references go over to the object; the other parts are dropped.
    removeParts(tx, number, uploadId, (part) => !used.has(part))
    tx.remove(keys.upload(number, keyBytes(key), uploadId))
    const checksum = compositeChecksum(upload, chosen, options.checksum)
    return enterVersion(core, tx, bucket, key, {
      size,
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
  const chosen = named.map(({ part, etag, checksum }) => {
    const value = tx.get(keys.part(bucket, uploadId, part))
    const record = value && decodePart(value)
    if (!record || record.etag !== etag || (checksum !== undefined && checksum !== record.checksum?.value)) {
      const text =
        "One or more of the specified parts could not be found.  The part may not have been uploaded, or the specified entity tag may not match the part's entity tag."
      throw new S3Error('InvalidPart', text, { detail: { PartNumber: String(part), ETag: etag } })
    }
    return record
  })
  // A part that is not there is told before one that is too small.
  const small = chosen.findIndex(({ size }, i) => i < chosen.length - 1 && size < SMALLEST_PART)
  if (small >= 0) {
    throw new S3Error('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed object size.', {
      detail: { PartNumber: String(named[small]?.part), ProposedSize: String(chosen[small]?.size) },
    })
  }
  return chosen
}
