import { createHash } from 'node:crypto'
import { S3Error } from '../../lib/errors.ts'
import type { Transaction } from '../commit/transaction.ts'
import type { EngineCore } from '../core/engine-core.ts'
import type { CompletedPart, CompleteUploadOptions, ObjectInfo, UploadInfo } from '../interface/types.ts'
import { enterVersion } from '../objects/enter-version.ts'
import { indexKeys } from '../records/index-keys.ts'
import { decodePart, type PartRecord, type PartSize } from '../records/index-records.ts'
import { compositeChecksum } from './composite-checksum.ts'
import { removeUpload, requireInternalUpload, requireOpenUpload } from './uploads.ts'

/** Minimum size in bytes of all parts but the last. */
const MIN_PART_BYTES = 5 * 2 ** 20

export async function completeUpload(
  core: EngineCore,
  upload: UploadInfo,
  parts: CompletedPart[],
  options: CompleteUploadOptions,
): Promise<ObjectInfo> {
  const open = requireInternalUpload(upload)
  const { bucket, key, bucketNumber, uploadId, record } = open
  core.pool.checkRoom(0)
  return core.commit((tx) => {
    requireOpenUpload(core, tx, open)
    const chosen = selectParts(tx, bucketNumber, uploadId, parts)
    const size = chosen.reduce((sum, part) => sum + part.size, 0)
    if (options.size !== undefined && options.size !== size) {
      throw new S3Error('InvalidRequest', `The parts have ${size} bytes in total instead of ${options.size}.`)
    }
    const used = new Set(parts.map(({ part }) => part))
    // The references of the chosen parts move to the object; the other parts are dropped.
    removeUpload(tx, open, (part) => !used.has(part))
    const checksum = compositeChecksum(record, chosen, options.checksum)
    return enterVersion(core, tx, bucket, key, {
      size,
      etag: multipartEtag(chosen),
      headers: record.headers,
      metadata: record.metadata,
      tags: record.tags,
      lock: record.lock,
      encryption: record.encryption,
      checksum,
      body: { kind: 'segments', segments: chosen.flatMap(({ segments }) => segments), parts: chosen.map(partSize) },
      condition: options.condition,
      versionId: record.versionId,
      lastModified: options.lastModified ?? record.lastModified,
      replica: record.replica,
      replicaRights: options.replicaRights,
      type: 'object-complete',
    })
  })
}

function partSize({ size, checksum }: PartRecord): PartSize {
  return { size, ...(checksum && { checksum: checksum.value }) }
}

function multipartEtag(parts: PartRecord[]): string {
  const md5 = createHash('md5')
  for (const { etag } of parts) md5.update(etag, 'hex')
  return `${md5.digest('hex')}-${parts.length}`
}

/** Returns the listed parts after checking them. @throws S3Error InvalidPart, InvalidPartOrder, EntityTooSmall */
function selectParts(tx: Transaction, bucket: number, uploadId: string, named: CompletedPart[]): PartRecord[] {
  if (named.length === 0) throw new S3Error('InvalidRequest', 'You must specify at least one part')
  if (named.some(({ part }, i) => i > 0 && part <= (named[i - 1]?.part ?? 0))) {
    const text =
      'The list of parts was not in ascending order. The parts list must be specified in order by part number.'
    throw new S3Error('InvalidPartOrder', text)
  }
  const chosen = named.map(({ part, etag, checksum }) => {
    const value = tx.get(indexKeys.uploadPart(bucket, uploadId, part))
    const record = value && decodePart(value)
    if (!record || record.etag !== etag || (checksum !== undefined && checksum !== record.checksum?.value)) {
      const text =
        "One or more of the specified parts could not be found.  The part may not have been uploaded, or the specified entity tag may not match the part's entity tag."
      throw new S3Error('InvalidPart', text, { detail: { PartNumber: String(part), ETag: etag } })
    }
    return record
  })
  // The error for a missing part takes precedence over the one for a small part.
  const small = chosen.findIndex(({ size }, i) => i < chosen.length - 1 && size < MIN_PART_BYTES)
  if (small >= 0) {
    throw new S3Error('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed object size.', {
      detail: { PartNumber: String(named[small]?.part), ProposedSize: String(chosen[small]?.size) },
    })
  }
  return chosen
}
