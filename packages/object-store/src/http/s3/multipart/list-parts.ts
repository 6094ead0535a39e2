import { S3Error } from '../../../lib/errors.ts'
import { optionalXmlTag, s3Document, xmlTag } from '../../../lib/xml.ts'
import { checksumElement } from '../../bodies/checksums.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { requestedUpload } from '../headers/upload-query.ts'
import { requestedLimit, requestedNameEncoding } from '../listing/list-query.ts'
import { INITIATOR_ELEMENT, OWNER_ELEMENT } from '../listing/owner.ts'

export const listParts: S3Operation = {
  name: 'ListParts',
  method: 'GET',
  level: 'object',
  query: ['uploadId'],
  handle(call) {
    const markerText = call.query.get('part-number-marker') || '0'
    if (!/^\d{1,9}$/.test(markerText)) {
      throw new S3Error('InvalidArgument', 'Argument part-number-marker must be an integer.')
    }
    const marker = Number(markerText)
    const limit = requestedLimit(call, 'max-parts')
    const form = requestedNameEncoding(call)
    const upload = call.engine.getUpload(requestedUpload(call))
    const page = call.engine.listParts(upload, { after: marker, limit })
    const rows = page.parts.map(
      ({ part, size, etag, lastModified, checksum }) =>
        `<Part>${xmlTag('PartNumber', part)}${xmlTag('LastModified', new Date(lastModified).toISOString())}` +
        `<ETag>&quot;${etag}&quot;</ETag>${xmlTag('Size', size)}` +
        `${checksum ? xmlTag(checksumElement(checksum.algorithm), checksum.value) : ''}</Part>`,
    )
    call.xml(
      s3Document(
        'ListPartsResult',
        `${xmlTag('Bucket', call.bucket)}<Key>${form.write(call.key)}</Key>${xmlTag('UploadId', upload.uploadId)}` +
          `${INITIATOR_ELEMENT}${OWNER_ELEMENT}${xmlTag('StorageClass', upload.headers['x-amz-storage-class'] ?? 'STANDARD')}` +
          `${optionalXmlTag('ChecksumAlgorithm', upload.checksumAlgorithm)}${optionalXmlTag('ChecksumType', upload.checksumType)}` +
          `${xmlTag('PartNumberMarker', marker)}${xmlTag('NextPartNumberMarker', page.parts.at(-1)?.part ?? marker)}` +
          `${xmlTag('MaxParts', limit)}${xmlTag('IsTruncated', page.truncated)}` +
          `${optionalXmlTag('EncodingType', form.isUrlEncoded ? 'url' : undefined)}${rows.join('')}`,
      ),
    )
  },
}
