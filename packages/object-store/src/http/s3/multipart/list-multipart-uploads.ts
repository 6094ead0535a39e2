import { optionalXmlTag, s3Document, xmlTag } from '../../../lib/xml.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { commonPrefixXml, requestedLimit, requestedNameEncoding } from '../listing/list-query.ts'
import { INITIATOR_ELEMENT, OWNER_ELEMENT } from '../listing/owner.ts'

export const listMultipartUploads: S3Operation = {
  name: 'ListMultipartUploads',
  method: 'GET',
  level: 'bucket',
  query: ['uploads'],
  handle(call) {
    const prefix = call.query.get('prefix') ?? ''
    const delimiter = call.query.get('delimiter') ?? ''
    const keyMarker = call.query.get('key-marker') ?? ''
    // S3 ignores it without a key marker.
    const uploadMarker = keyMarker === '' ? '' : (call.query.get('upload-id-marker') ?? '')
    const limit = requestedLimit(call, 'max-uploads')
    const form = requestedNameEncoding(call)
    const page = call.engine.listUploads(call.bucket, {
      prefix,
      delimiter,
      after: keyMarker,
      limit,
      ...(uploadMarker === '' ? {} : { uploadMarker }),
    })
    let uploads = ''
    let prefixes = ''
    for (const entry of page.entries) {
      if (!('upload' in entry)) {
        prefixes += commonPrefixXml(form, entry.prefix)
        continue
      }
      const { upload } = entry
      uploads +=
        `<Upload><Key>${form.write(upload.key)}</Key>${xmlTag('UploadId', upload.uploadId)}${INITIATOR_ELEMENT}${OWNER_ELEMENT}` +
        `${xmlTag('StorageClass', upload.headers['x-amz-storage-class'] ?? 'STANDARD')}` +
        `${xmlTag('Initiated', new Date(upload.startedAt).toISOString())}` +
        `${optionalXmlTag('ChecksumAlgorithm', upload.checksumAlgorithm)}` +
        `${optionalXmlTag('ChecksumType', upload.checksumType)}</Upload>`
    }
    const next =
      page.truncated && page.next
        ? `<NextKeyMarker>${form.write(page.next.key)}</NextKeyMarker>` +
          optionalXmlTag('NextUploadIdMarker', page.next.uploadId)
        : ''
    call.xml(
      s3Document(
        'ListMultipartUploadsResult',
        `${xmlTag('Bucket', call.bucket)}<KeyMarker>${form.write(keyMarker)}</KeyMarker>` +
          `${xmlTag('UploadIdMarker', uploadMarker)}${next}<Prefix>${form.write(prefix)}</Prefix>` +
          `${delimiter === '' ? '' : `<Delimiter>${form.write(delimiter)}</Delimiter>`}` +
          `${optionalXmlTag('EncodingType', form.isUrlEncoded ? 'url' : undefined)}` +
          `${xmlTag('MaxUploads', limit)}${xmlTag('IsTruncated', page.truncated)}${uploads}${prefixes}`,
      ),
    )
  },
}
