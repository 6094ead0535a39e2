import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Whether a caller's Accept header asks for progress as NDJSON. */
export const acceptsNdjson = (accept = '') => /\bapplication\/x-ndjson\b/.test(accept)

/** Sends values as NDJSON. Waits for the first value, so that an early failure is answered with an error status. */
export async function sendNdjson<T>(reply: FastifyReply, lines: AsyncGenerator<T>): Promise<FastifyReply> {
  const first = await lines.next()
  reply.code(200).type('application/x-ndjson; charset=utf-8')
  return reply.send(Readable.from(ndjsonLines(first, lines)))
}

async function* ndjsonLines<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<string> {
  if (first.done) return
  yield `${JSON.stringify(first.value)}\n`
  for await (const line of rest) yield `${JSON.stringify(line)}\n`
}
