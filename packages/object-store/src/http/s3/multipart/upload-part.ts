import { S3Error } from '../../../lib/errors.ts'
import { CHECKSUM_HEADERS } from '../../bodies/checksums.ts'
import { openRequestBody } from '../../bodies/request-body.ts'
import type { ResponseHeaders } from '../../call/call.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { encryptionHeaders } from '../headers/encryption-headers.ts'
import { MAX_PART_BYTES, requestedPartNumber, requestedUpload } from '../headers/upload-query.ts'

export const uploadPart: S3Operation = {
  name: 'UploadPart',
  method: 'PUT',
  level: 'object',
  query: ['partNumber', 'uploadId'],
  async handle(call) {
    const number = requestedPartNumber(call)
    const upload = call.engine.getUpload(requestedUpload(call))
    const body = await openRequestBody(call, { wanted: upload.checksumAlgorithm })
    if (body.size > MAX_PART_BYTES) {
      throw new S3Error('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed object size.')
    }
    const part = await call.engine.putPart(upload, number, body.stream, {
      size: body.size,
      customerKey: call.customerKeys.own?.key,
      check: body.check,
    })
    const headers: ResponseHeaders = { ETag: `"${part.etag}"`, ...encryptionHeaders(call, upload.encryption) }
    if (part.checksum) headers[CHECKSUM_HEADERS[part.checksum.algorithm]] = part.checksum.value
    call.empty(200, headers)
  },
}
