import { answerRead } from './get-object.ts'
import type { Operation } from './operation.ts'

export const headObject: Operation = {
  name: 'HeadObject',
  method: 'HEAD',
  level: 'object',
  action: 's3:GetObject',
  handle(call) {
    const answer = answerRead(call)
    if (!answer) return
    call.head(answer.status, answer.headers)
    call.response.end()
  },
}
