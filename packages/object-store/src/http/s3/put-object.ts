import type { ObjectInfo } from '../../engine/types.ts'
import { S3Error } from '../../errors.ts'
import { openBody } from '../body.ts'
import type { Call, ResponseHeaders } from '../call.ts'
import { checksumHeaders } from '../checksums.ts'
import { describedObject } from './object-headers.ts'
import type { Operation } from './operation.ts'
import { writeCondition } from './preconditions.ts'
import { headerTags } from './tag-set.ts'

/** Largest object, in bytes. */
export const MAX_OBJECT = 5 * 1024 ** 4

export const putObject: Operation = {
  name: 'PutObject',
  method: 'PUT',
  level: 'object',
  action: 's3:PutObject',
  tags: headerTags,
  async handle(call) {
    const { headers, metadata } = describedObject(call.request.headers)
    const condition = writeCondition(call)
    const body = await openBody(call)
    if (body.size > MAX_OBJECT) {
      throw new S3Error('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed object size.')
    }
    const info = await call.engine.putObject(call.bucket, call.key, body.stream, {
      size: body.size,
      headers,
      metadata,
      tags: call.requestTags,
      check: body.check,
      ...(condition ? { condition } : {}),
    })
    call.empty(200, writtenHeaders(call, info))
  },
}

/** ETag, version (a suspended bucket tells none, as MinIO) and checksum of what was written. */
export function writtenHeaders(call: Call, info: ObjectInfo): ResponseHeaders {
  const headers: ResponseHeaders = { ETag: `"${info.etag}"` }
  if (call.engine.getBucket(call.bucket).versioning === 'Enabled') headers['x-amz-version-id'] = info.versionId
  if (info.checksum) Object.assign(headers, checksumHeaders(info.checksum))
  return headers
}
