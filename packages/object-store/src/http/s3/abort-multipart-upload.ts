import type { Operation } from './operation.ts'
import { uploadId } from './upload-query.ts'

export const abortMultipartUpload: Operation = {
  name: 'AbortMultipartUpload',
  method: 'DELETE',
  level: 'object',
  query: ['uploadId'],
  action: 's3:AbortMultipartUpload',
  async handle(call) {
    await call.engine.abortUpload(call.bucket, call.key, uploadId(call))
    call.empty(204)
  },
}
