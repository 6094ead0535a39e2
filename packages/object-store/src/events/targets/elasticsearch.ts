import { createHash } from 'node:crypto'
import { type Egress, EgressError } from '@stowage/egress'
import { z } from 'zod'
import { MessageRefusedError } from '../delivery/queue-sender.ts'
import { keepConnection } from './kept-connection.ts'
import { BatchRefusedError, batchSender } from './message-batches.ts'
import { type OpenTarget, parseEventMessage } from './open-target.ts'

/** The part of an answer to `_bulk` that is needed: for each action its status, and why it failed. */
const ANSWER_PARTS = 'items.*.status,items.*.error.type,items.*.error.reason'
const MAX_ANSWER_BYTES = 4 * 2 ** 20
const MAX_REASON = 300

const BulkItem = z.object({
  status: z.number(),
  error: z.object({ type: z.string().default(''), reason: z.string().default('') }).optional(),
})
/** Each item has the name of its action: `{"index":{"status":201}}`. */
const BulkAnswer = z.object({ items: z.array(z.record(z.string(), BulkItem)) })

/**
 * Writes a document for each object (namespace) or for each event (access), several in one `_bulk` request. A success status
 * of its item means accepted.
 */
export const openElasticsearch: OpenTarget = ({ arn, values, egress }) => {
  const { index = '', format } = values
  const { base, headers } = elasticsearchServer(values)
  const path = `${base}/${encodeURIComponent(index)}`
  const closing = new AbortController()

  // There is no connection to keep, only the knowledge that the index exists.
  const connection = keepConnection<Pick<Egress, 'request'>>({
    async open() {
      if (!(await indexExists(() => egress.request(path, { method: 'HEAD', headers })))) {
        await egress.request(path, { method: 'PUT', headers })
      }
      return egress
    },
    close: () => undefined,
  })

  const send = batchSender(async (actions) => {
    try {
      const { body } = await egress.request(`${path}/_bulk?filter_path=${ANSWER_PARTS}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-ndjson' },
        body: actions.join(''),
        signal: closing.signal,
        maxBytes: MAX_ANSWER_BYTES,
      })
      return bulkErrors(body, actions.length)
    } catch (error) {
      if (!(error instanceof EgressError) || (error.status !== 400 && error.status !== 413)) throw error
      throw actions.length > 1
        ? new BatchRefusedError(error.message, { cause: error })
        : new MessageRefusedError(error.message, { cause: error })
    }
  })

  return {
    arn,
    send: (message, signal) => connection.use(signal, () => send(bulkAction(message, format === 'access'))),
    async close() {
      closing.abort(new Error('the target was closed'))
      await connection.close()
    },
  }
}

/** Returns the lines of a message in a `_bulk` request. */
function bulkAction(message: string, isAccess: boolean): string {
  const { key, records, isRemoval } = parseEventMessage(message)
  if (isAccess) return `{"index":{}}\n${records}\n`
  // IDs are limited to 512 bytes; keys may be longer.
  const _id = createHash('sha256').update(key).digest('base64url')
  return isRemoval ? `${JSON.stringify({ delete: { _id } })}\n` : `${JSON.stringify({ index: { _id } })}\n${records}\n`
}

/** Returns the errors of the documents that were not written. @throws Error if this is not an answer to `_bulk` */
function bulkErrors(body: Buffer, count: number): (Error | undefined)[] {
  const answer = BulkAnswer.safeParse(parseJson(body))
  if (!answer.success || answer.data.items.length !== count) {
    throw new Error('the answer of the server is not one of Elasticsearch')
  }
  return answer.data.items.map((item) => {
    const [[action, { status, error }] = ['', { status: 500, error: undefined }]] = Object.entries(item)
    // A document that is to be deleted may not exist.
    if (status < 300 || (action === 'delete' && status === 404 && error === undefined)) return undefined
    const text = error ? `${error.type}: ${error.reason}`.slice(0, MAX_REASON) : `the server answered ${status}`
    return status === 400 || status === 413 ? new MessageRefusedError(text) : new Error(text)
  })
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    // The schema reports it.
    return undefined
  }
}

/** Returns the URL without its user, and the authorization header for that user. */
function elasticsearchServer({ url = '', username = '', password = '' }: Readonly<Record<string, string>>) {
  const parsed = new URL(url)
  const user = username || decodeURIComponent(parsed.username)
  const secret = password || decodeURIComponent(parsed.password)
  const headers: Record<string, string> = { 'user-agent': 'Stowage' }
  if (user !== '') headers.authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
  return { base: `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`, headers }
}

async function indexExists(request: () => Promise<unknown>): Promise<boolean> {
  try {
    await request()
    return true
  } catch (error) {
    if (error instanceof EgressError && error.status === 404) return false
    throw error
  }
}
