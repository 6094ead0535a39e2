import { S3Error } from '../../../lib/errors.ts'
import { optionalXmlTag, s3Document, xmlTag } from '../../../lib/xml.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { listEntryXml, userMetadataXml } from './list-entries.ts'
import { commonPrefixXml, listHeadXml, requestedLimit, requestedNameEncoding } from './list-query.ts'

export const listObjectsV2: S3Operation = {
  name: 'ListObjectsV2',
  method: 'GET',
  level: 'bucket',
  query: ['list-type=2'],
  handle(call) {
    const prefix = call.query.get('prefix') ?? ''
    const delimiter = call.query.get('delimiter') ?? ''
    const startAfter = call.query.get('start-after') ?? ''
    const token = call.query.get('continuation-token') ?? undefined
    const limit = requestedLimit(call, 'max-keys')
    const form = requestedNameEncoding(call)
    const options = { form, owner: call.query.get('fetch-owner') === 'true', describe: userMetadataXml(call) }
    const after = token === undefined ? startAfter : readToken(token)
    const page = call.engine.listObjects(call.bucket, { prefix, delimiter, after, limit })
    let contents = ''
    let prefixes = ''
    for (const entry of page.entries) {
      if ('object' in entry) contents += `<Contents>${listEntryXml(entry.object, options)}</Contents>`
      else prefixes += commonPrefixXml(form, entry.prefix)
    }
    const next = page.truncated && page.next ? writeToken(page.next.key) : undefined
    call.xml(
      s3Document(
        'ListBucketResult',
        listHeadXml(call, form, prefix, delimiter) +
          (startAfter === '' ? '' : `<StartAfter>${form.write(startAfter)}</StartAfter>`) +
          `${optionalXmlTag('ContinuationToken', token)}${optionalXmlTag('NextContinuationToken', next)}` +
          `${xmlTag('KeyCount', page.entries.length)}${xmlTag('MaxKeys', limit)}${xmlTag('IsTruncated', page.truncated)}` +
          `${contents}${prefixes}`,
      ),
    )
  },
}

/** A token is the last key (or common prefix) of the page, in base64. */
function writeToken(key: string): string {
  return Buffer.from(key, 'utf8').toString('base64')
}

function readToken(token: string): string {
  const key = Buffer.from(token, 'base64').toString('utf8')
  if (key === '' || writeToken(key) !== token) {
    throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect')
  }
  return key
}
