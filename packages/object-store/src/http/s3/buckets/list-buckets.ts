import { S3_OPERATIONS } from '@stowage/iam-policy'
import type { BucketInfo } from '../../../engine/interface/types.ts'
import { S3Error } from '../../../lib/errors.ts'
import { s3Document, toXmlText, xmlTag } from '../../../lib/xml.ts'
import { isActionAllowed } from '../../auth/authorize.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { SharedTime } from '../../call/shared-time.ts'
import { OWNER_ELEMENT } from '../listing/owner.ts'

/** Lists all buckets for callers with the right to list all; for others the buckets whose content or location they can read. */
export const listBuckets: S3Operation = {
  name: 'ListBuckets',
  method: 'GET',
  level: 'service',
  async handle(call) {
    if (call.identity === undefined) throw new S3Error('AccessDenied', 'Access Denied.')
    const { action, filter } = S3_OPERATIONS.ListBuckets
    const all = isActionAllowed(call, action)
    const prefix = call.query.get('prefix') ?? ''
    const time = new SharedTime(call)
    const buckets: BucketInfo[] = []
    for (const bucket of call.engine.listBuckets()) {
      const { name } = bucket
      if (!name.startsWith(prefix)) continue
      await time.next()
      if (all || filter.some((right) => isActionAllowed(call, right, { bucket: name }))) buckets.push(bucket)
    }
    if (!all && buckets.length === 0) throw new S3Error('AccessDenied', 'Access Denied.')
    const entries = buckets.map(
      ({ name, createdAt }) =>
        `<Bucket><Name>${toXmlText(name)}</Name>${xmlTag('CreationDate', new Date(createdAt).toISOString())}</Bucket>`,
    )
    call.xml(s3Document('ListAllMyBucketsResult', `${OWNER_ELEMENT}<Buckets>${entries.join('')}</Buckets>`))
  },
}
