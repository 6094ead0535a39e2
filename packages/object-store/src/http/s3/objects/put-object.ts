import type { ObjectInfo } from '../../../engine/interface/types.ts'
import { S3Error } from '../../../lib/errors.ts'
import { checksumHeaders } from '../../bodies/checksums.ts'
import { openRequestBody } from '../../bodies/request-body.ts'
import type { ResponseHeaders, StoreCall } from '../../call/call.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { encryptionHeaders, requestedEncryption } from '../headers/encryption-headers.ts'
import { readObjectDescription } from '../headers/object-headers.ts'
import { requestedLock } from '../headers/object-lock-calls.ts'
import { writeCondition } from '../headers/preconditions.ts'
import { replicaTagging, requestedReplica } from '../headers/replica-headers.ts'
import { tagsInHeader } from '../headers/tagging-header.ts'
import { expirationHeader } from './expiration-header.ts'

/** Maximum size of an object in bytes. */
export const MAX_OBJECT_BYTES = 5 * 1024 ** 4

export const putObject: S3Operation = {
  name: 'PutObject',
  method: 'PUT',
  level: 'object',
  tags: tagsInHeader,
  tagging: replicaTagging,
  async handle(call) {
    const { headers, metadata } = readObjectDescription(call.request.headers)
    const lock = requestedLock(call)
    const encryption = requestedEncryption(call)
    const condition = writeCondition(call)
    const replica = requestedReplica(call)
    const body = await openRequestBody(call)
    if (body.size > MAX_OBJECT_BYTES) {
      throw new S3Error('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed object size.')
    }
    const info = await call.engine.putObject(call.bucket, call.key, body.stream, {
      size: body.size,
      headers,
      metadata,
      tags: call.requestTags,
      lock,
      encryption,
      check: body.check,
      ...replica,
      ...(condition ? { condition } : {}),
    })
    await call.store.replication.waitForSyncTargets(call.bucket, info)
    call.empty(200, writtenHeaders(call, info))
  },
}

/** Adds the ID of the written version, unless it is a null version, whose ID is not returned, as on MinIO. */
export function addVersionHeader(call: StoreCall, { versionId }: ObjectInfo, headers: ResponseHeaders): void {
  const { versioning } = call.engine.getBucket(call.bucket)
  if (versioning === 'Enabled' && versionId !== 'null') headers['x-amz-version-id'] = versionId
}

/** Returns ETag, version (none in a bucket with suspended versioning, as on MinIO) and checksum of a write. */
export function writtenHeaders(call: StoreCall, info: ObjectInfo): ResponseHeaders {
  const headers: ResponseHeaders = {
    ETag: `"${info.etag}"`,
    ...encryptionHeaders(call, info.encryption),
    ...expirationHeader(call, info),
  }
  addVersionHeader(call, info, headers)
  if (info.checksum) Object.assign(headers, checksumHeaders(info.checksum))
  return headers
}
