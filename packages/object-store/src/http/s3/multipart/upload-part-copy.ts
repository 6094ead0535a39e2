import { s3Document, xmlTag } from '../../../lib/xml.ts'
import { checksumElement } from '../../bodies/checksums.ts'
import type { ResponseHeaders } from '../../call/call.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { parseCopyRange } from '../headers/byte-range.ts'
import { openCopySource } from '../headers/copy-source.ts'
import { encryptionHeaders } from '../headers/encryption-headers.ts'
import { requestedPartNumber, requestedUpload } from '../headers/upload-query.ts'

export const uploadPartCopy: S3Operation = {
  name: 'UploadPartCopy',
  method: 'PUT',
  level: 'object',
  query: ['partNumber', 'uploadId'],
  header: 'x-amz-copy-source',
  async handle(call) {
    const number = requestedPartNumber(call)
    const upload = call.engine.getUpload(requestedUpload(call))
    const { handle, versionId } = openCopySource(call)
    const range = parseCopyRange(call.header('x-amz-copy-source-range'), handle.info.size)
    const part = await call.engine.copyPart({ handle, range }, upload, number, call.customerKeys.own?.key)
    const headers: ResponseHeaders = { ...encryptionHeaders(call, upload.encryption) }
    if (versionId !== undefined) headers['x-amz-copy-source-version-id'] = versionId
    const content =
      `${xmlTag('LastModified', new Date(part.lastModified).toISOString())}<ETag>&quot;${part.etag}&quot;</ETag>` +
      (part.checksum ? xmlTag(checksumElement(part.checksum.algorithm), part.checksum.value) : '')
    call.xml(s3Document('CopyPartResult', content), 200, headers)
  },
}
