import { S3Error } from '../../errors.ts'
import { optionalTag, s3Document, tag } from '../../xml.ts'
import { checksumElement } from '../checksums.ts'
import { requestedForm, requestedLimit } from './list-query.ts'
import type { Operation } from './operation.ts'
import { INITIATOR, OWNER } from './owner.ts'
import { requestedUpload } from './upload-query.ts'

export const listParts: Operation = {
  name: 'ListParts',
  method: 'GET',
  level: 'object',
  query: ['uploadId'],
  action: 's3:ListMultipartUploadParts',
  handle(call) {
    const markerText = call.query.get('part-number-marker') || '0'
    if (!/^\d{1,9}$/.test(markerText)) {
      throw new S3Error('InvalidArgument', 'Argument part-number-marker must be an integer.')
    }
    const marker = Number(markerText)
    const limit = requestedLimit(call, 'max-parts')
    const form = requestedForm(call)
    const upload = call.engine.getUpload(requestedUpload(call))
    const page = call.engine.listParts(upload, { after: marker, limit })
    const rows = page.parts.map(
      ({ part, size, etag, lastModified, checksum }) =>
        `<Part>${tag('PartNumber', part)}${tag('LastModified', new Date(lastModified).toISOString())}` +
        `<ETag>&quot;${etag}&quot;</ETag>${tag('Size', size)}` +
        `${checksum ? tag(checksumElement(checksum.algorithm), checksum.value) : ''}</Part>`,
    )
    call.xml(
      s3Document(
        'ListPartsResult',
        `${tag('Bucket', call.bucket)}<Key>${form.write(call.key)}</Key>${tag('UploadId', upload.uploadId)}` +
          `${INITIATOR}${OWNER}${tag('StorageClass', upload.headers['x-amz-storage-class'] ?? 'STANDARD')}` +
          `${optionalTag('ChecksumAlgorithm', upload.checksumAlgorithm)}${optionalTag('ChecksumType', upload.checksumType)}` +
          `${tag('PartNumberMarker', marker)}${tag('NextPartNumberMarker', page.parts.at(-1)?.part ?? marker)}` +
          `${tag('MaxParts', limit)}${tag('IsTruncated', page.truncated)}` +
          `${optionalTag('EncodingType', form.encoded ? 'url' : undefined)}${rows.join('')}`,
      ),
    )
  },
}
