import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Whether a caller wants progress as lines of JSON, by its header Accept. */
export const acceptsLines = (accept = '') => /\bapplication\/x-ndjson\b/.test(accept)

/** Sends values as lines of JSON. Waits for the first one, so that a refusal of everything is an error with its status. */
export async function ndjson<T>(reply: FastifyReply, lines: AsyncGenerator<T>): Promise<FastifyReply> {
  const first = await lines.next()
  reply.code(200).type('application/x-ndjson; charset=utf-8')
  return reply.send(Readable.from(asLines(first, lines)))
}

async function* asLines<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<string> {
  if (first.done) return
  yield `${JSON.stringify(first.value)}\n`
  for await (const line of rest) yield `${JSON.stringify(line)}\n`
}
