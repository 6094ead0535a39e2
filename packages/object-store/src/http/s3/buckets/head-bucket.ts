import type { S3Operation } from '../../call/s3-operation.ts'

/** Needs the right to list the bucket, as on MinIO. */
export const headBucket: S3Operation = {
  name: 'HeadBucket',
  method: 'HEAD',
  level: 'bucket',
  handle(call) {
    call.engine.getBucket(call.bucket)
    call.empty(200, {
      'Content-Type': 'application/xml',
      'x-amz-bucket-region': call.store.region,
      // By this ID a store recognizes itself as a replication target.
      'x-minio-deployment-id': call.engine.deploymentId,
    })
  },
}
