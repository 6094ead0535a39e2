import type { S3Operation } from '../../call/s3-operation.ts'
import { prepareRead } from './get-object.ts'

export const headObject: S3Operation = {
  name: 'HeadObject',
  method: 'HEAD',
  level: 'object',
  handle(call) {
    const answer = prepareRead(call)
    if (!answer) return
    call.head(answer.status, answer.headers)
    call.response.end()
  },
}
