import { S3Error } from '../../errors.ts'
import type { Call } from '../call.ts'
import type { Operation } from './operation.ts'

/** Removes an empty bucket; with `x-minio-force-delete: true` also one that is not, unless it has object lock. */
export const deleteBucket: Operation = {
  name: 'DeleteBucket',
  method: 'DELETE',
  level: 'bucket',
  action: (call) => (isForced(call) ? 's3:ForceDeleteBucket' : 's3:DeleteBucket'),
  async handle(call) {
    const force = isForced(call)
    const { objectLock } = call.engine.getBucket(call.bucket)
    if (force && objectLock) {
      throw new S3Error('MethodNotAllowed', 'A bucket with object lock cannot be removed with what is in it.')
    }
    await call.engine.deleteBucket(call.bucket, { force })
    call.empty(204)
  },
}

function isForced(call: Call): boolean {
  return call.header('x-minio-force-delete')?.toLowerCase() === 'true'
}
