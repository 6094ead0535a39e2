import { optionalTag, s3Document, tag } from '../../xml.ts'
import { commonPrefix, requestedForm, requestedLimit } from './list-query.ts'
import type { Operation } from './operation.ts'
import { INITIATOR, OWNER } from './owner.ts'

export const listMultipartUploads: Operation = {
  name: 'ListMultipartUploads',
  method: 'GET',
  level: 'bucket',
  query: ['uploads'],
  action: 's3:ListBucketMultipartUploads',
  handle(call) {
    const prefix = call.query.get('prefix') ?? ''
    const delimiter = call.query.get('delimiter') ?? ''
    const keyMarker = call.query.get('key-marker') ?? ''
    // S3 ignores it without a key marker.
    const uploadMarker = keyMarker === '' ? '' : (call.query.get('upload-id-marker') ?? '')
    const limit = requestedLimit(call, 'max-uploads')
    const form = requestedForm(call)
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
        prefixes += commonPrefix(form, entry.prefix)
        continue
      }
      const { upload } = entry
      uploads +=
        `<Upload><Key>${form.write(upload.key)}</Key>${tag('UploadId', upload.uploadId)}${INITIATOR}${OWNER}` +
        `${tag('StorageClass', upload.headers['x-amz-storage-class'] ?? 'STANDARD')}` +
        `${tag('Initiated', new Date(upload.startedAt).toISOString())}` +
        `${optionalTag('ChecksumAlgorithm', upload.checksumAlgorithm)}` +
        `${optionalTag('ChecksumType', upload.checksumType)}</Upload>`
    }
    const next =
      page.truncated && page.next
        ? `<NextKeyMarker>${form.write(page.next.key)}</NextKeyMarker>` +
          optionalTag('NextUploadIdMarker', page.next.uploadId)
        : ''
    call.xml(
      s3Document(
        'ListMultipartUploadsResult',
        `${tag('Bucket', call.bucket)}<KeyMarker>${form.write(keyMarker)}</KeyMarker>` +
          `${tag('UploadIdMarker', uploadMarker)}${next}<Prefix>${form.write(prefix)}</Prefix>` +
          `${delimiter === '' ? '' : `<Delimiter>${form.write(delimiter)}</Delimiter>`}` +
          `${optionalTag('EncodingType', form.encoded ? 'url' : undefined)}` +
          `${tag('MaxUploads', limit)}${tag('IsTruncated', page.truncated)}${uploads}${prefixes}`,
      ),
    )
  },
}
