import { s3Document } from '../../xml.ts'
import type { Operation } from './operation.ts'

export const getBucketLocation: Operation = {
  name: 'GetBucketLocation',
  method: 'GET',
  level: 'bucket',
  query: ['location'],
  action: 's3:GetBucketLocation',
  handle(call) {
    call.engine.getBucket(call.bucket)
    const { region } = call.store
    // S3 names its first region by an empty element.
    call.xml(s3Document('LocationConstraint', region === 'us-east-1' ? '' : region))
  },
}
