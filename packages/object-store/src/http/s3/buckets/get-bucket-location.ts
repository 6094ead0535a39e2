import { s3Document } from '../../../lib/xml.ts'
import type { S3Operation } from '../../call/s3-operation.ts'

export const getBucketLocation: S3Operation = {
  name: 'GetBucketLocation',
  method: 'GET',
  level: 'bucket',
  query: ['location'],
  handle(call) {
    call.engine.getBucket(call.bucket)
    const { region } = call.store
    // On S3, an empty element means the first region.
    call.xml(s3Document('LocationConstraint', region === 'us-east-1' ? '' : region))
  },
}
