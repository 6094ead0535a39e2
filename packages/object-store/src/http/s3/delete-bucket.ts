import { forceDeleteBucket, isForced } from './force-delete.ts'
import type { Operation } from './operation.ts'

/** Deletes an empty bucket; with `x-minio-force-delete: true` also one with objects, unless it has object lock. */
export const deleteBucket: Operation = {
  name: 'DeleteBucket',
  method: 'DELETE',
  level: 'bucket',
  action: (call) => (isForced(call) ? 's3:ForceDeleteBucket' : 's3:DeleteBucket'),
  async handle(call) {
    if (isForced(call)) await forceDeleteBucket(call)
    else await call.engine.deleteBucket(call.bucket)
    call.empty(204)
  },
}
