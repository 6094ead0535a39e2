import { answerRead } from './get-object.ts'
import type { Operation } from './operation.ts'
import { byVersion } from './version-id.ts'

export const headObject: Operation = {
  name: 'HeadObject',
  method: 'HEAD',
  level: 'object',
  action: byVersion('s3:GetObject', 's3:GetObjectVersion'),
  handle(call) {
    const answer = answerRead(call)
    if (!answer) return
    call.head(answer.status, answer.headers)
    call.response.end()
  },
}
