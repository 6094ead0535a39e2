import { s3Document, xmlTag } from '../../../lib/xml.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { listEntryXml, userMetadataXml } from './list-entries.ts'
import { commonPrefixXml, listHeadXml, requestedLimit, requestedNameEncoding } from './list-query.ts'

/** Version 1 of the listing, which has a marker. */
export const listObjects: S3Operation = {
  name: 'ListObjects',
  method: 'GET',
  level: 'bucket',
  handle(call) {
    const prefix = call.query.get('prefix') ?? ''
    const delimiter = call.query.get('delimiter') ?? ''
    const marker = call.query.get('marker') ?? ''
    const limit = requestedLimit(call, 'max-keys')
    const form = requestedNameEncoding(call)
    const options = { form, owner: true, describe: userMetadataXml(call) }
    const page = call.engine.listObjects(call.bucket, { prefix, delimiter, after: marker, limit })
    let contents = ''
    let prefixes = ''
    for (const entry of page.entries) {
      if ('object' in entry) contents += `<Contents>${listEntryXml(entry.object, options)}</Contents>`
      else prefixes += commonPrefixXml(form, entry.prefix)
    }
    const next = page.truncated && page.next ? `<NextMarker>${form.write(page.next.key)}</NextMarker>` : ''
    call.xml(
      s3Document(
        'ListBucketResult',
        `${listHeadXml(call, form, prefix, delimiter)}<Marker>${form.write(marker)}</Marker>${next}` +
          `${xmlTag('MaxKeys', limit)}${xmlTag('IsTruncated', page.truncated)}${contents}${prefixes}`,
      ),
    )
  },
}
