import { S3Error } from '../../errors.ts'
import { optionalTag, s3Document, tag } from '../../xml.ts'
import { describer, entryContent } from './list-entries.ts'
import { commonPrefix, listHead, requestedForm, requestedLimit } from './list-query.ts'
import type { Operation } from './operation.ts'

export const listObjectsV2: Operation = {
  name: 'ListObjectsV2',
  method: 'GET',
  level: 'bucket',
  query: ['list-type=2'],
  action: 's3:ListBucket',
  handle(call) {
    const prefix = call.query.get('prefix') ?? ''
    const delimiter = call.query.get('delimiter') ?? ''
    const startAfter = call.query.get('start-after') ?? ''
    const token = call.query.get('continuation-token') ?? undefined
    const limit = requestedLimit(call, 'max-keys')
    const form = requestedForm(call)
    const options = { form, owner: call.query.get('fetch-owner') === 'true', describe: describer(call) }
    const after = token === undefined ? startAfter : readToken(token)
    const page = call.engine.listObjects(call.bucket, { prefix, delimiter, after, limit })
    let contents = ''
    let prefixes = ''
    for (const entry of page.entries) {
      if ('object' in entry) contents += `<Contents>${entryContent(entry.object, options)}</Contents>`
      else prefixes += commonPrefix(form, entry.prefix)
    }
    const next = page.truncated && page.next ? writeToken(page.next.key) : undefined
    call.xml(
      s3Document(
        'ListBucketResult',
        listHead(call, form, prefix, delimiter) +
          (startAfter === '' ? '' : `<StartAfter>${form.write(startAfter)}</StartAfter>`) +
          `${optionalTag('ContinuationToken', token)}${optionalTag('NextContinuationToken', next)}` +
          `${tag('KeyCount', page.entries.length)}${tag('MaxKeys', limit)}${tag('IsTruncated', page.truncated)}` +
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
