import { requirePart } from '../../auth/authorize.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { forceDeleteBucket, isForceDelete } from '../objects/force-delete.ts'

/** Deletes an empty bucket; with `x-minio-force-delete: true` also one with objects, unless it has object lock. */
export const deleteBucket: S3Operation = {
  name: 'DeleteBucket',
  method: 'DELETE',
  level: 'bucket',
  async handle(call) {
    if (isForceDelete(call)) {
      // A Deny of either action counts.
      requirePart(call, 'force-delete')
      await forceDeleteBucket(call)
    } else await call.engine.deleteBucket(call.bucket)
    call.empty(204)
  },
}
