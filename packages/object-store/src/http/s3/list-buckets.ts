import { S3Error } from '../../errors.ts'
import { escapeXml, s3Document, tag } from '../../xml.ts'
import { isAllowed } from '../authorize.ts'
import type { Operation } from './operation.ts'
import { OWNER } from './owner.ts'

/** Lists all buckets for callers with the right to list all; for others, those that they may list or locate. */
export const listBuckets: Operation = {
  name: 'ListBuckets',
  method: 'GET',
  level: 'service',
  action: undefined,
  handle(call) {
    if (call.identity === undefined) throw new S3Error('AccessDenied', 'Access Denied.')
    const all = isAllowed(call, 's3:ListAllMyBuckets')
    const prefix = call.query.get('prefix') ?? ''
    const buckets = call.engine
      .listBuckets()
      .filter(
        ({ name }) =>
          name.startsWith(prefix) &&
          (all ||
            isAllowed(call, 's3:ListBucket', { bucket: name }) ||
            isAllowed(call, 's3:GetBucketLocation', { bucket: name })),
      )
    if (!all && buckets.length === 0) throw new S3Error('AccessDenied', 'Access Denied.')
    const entries = buckets.map(
      ({ name, createdAt }) =>
        `<Bucket><Name>${escapeXml(name)}</Name>${tag('CreationDate', new Date(createdAt).toISOString())}</Bucket>`,
    )
    call.xml(s3Document('ListAllMyBucketsResult', `${OWNER}<Buckets>${entries.join('')}</Buckets>`))
  },
}
