import { s3Document, tag } from '../../xml.ts'
import { describer, entryContent } from './list-entries.ts'
import { commonPrefix, listHead, requestedForm, requestedLimit } from './list-query.ts'
import type { Operation } from './operation.ts'

/** Version 1 of the listing, which has a marker. */
export const listObjects: Operation = {
  name: 'ListObjects',
  method: 'GET',
  level: 'bucket',
  action: 's3:ListBucket',
  handle(call) {
    const prefix = call.query.get('prefix') ?? ''
    const delimiter = call.query.get('delimiter') ?? ''
    const marker = call.query.get('marker') ?? ''
    const limit = requestedLimit(call, 'max-keys')
    const form = requestedForm(call)
    const options = { form, owner: true, describe: describer(call) }
    const page = call.engine.listObjects(call.bucket, { prefix, delimiter, after: marker, limit })
    let contents = ''
    let prefixes = ''
    for (const entry of page.entries) {
      if ('object' in entry) contents += `<Contents>${entryContent(entry.object, options)}</Contents>`
      else prefixes += commonPrefix(form, entry.prefix)
    }
    const next = page.truncated && page.next ? `<NextMarker>${form.write(page.next.key)}</NextMarker>` : ''
    call.xml(
      s3Document(
        'ListBucketResult',
        `${listHead(call, form, prefix, delimiter)}<Marker>${form.write(marker)}</Marker>${next}` +
          `${tag('MaxKeys', limit)}${tag('IsTruncated', page.truncated)}${contents}${prefixes}`,
      ),
    )
  },
}
