import type { S3Operation } from '../../call/s3-operation.ts'
import { requestedUpload } from '../headers/upload-query.ts'

export const abortMultipartUpload: S3Operation = {
  name: 'AbortMultipartUpload',
  method: 'DELETE',
  level: 'object',
  query: ['uploadId'],
  async handle(call) {
    await call.engine.abortUpload(requestedUpload(call))
    call.empty(204)
  },
}
