import { createHash } from 'node:crypto'
import { type Egress, EgressError } from '@stowage/egress'
import { EventRefused } from '../sender.ts'
import { keepConnection } from './connection.ts'
import { type OpenTarget, readMessage } from './target.ts'

/** Writes a document for each object (namespace) or for each event (access). A success status means accepted. */
export const openElasticsearch: OpenTarget = ({ arn, values, egress }) => {
  const { index = '', format } = values
  const { base, headers } = serverOf(values)
  const path = `${base}/${encodeURIComponent(index)}`

  // There is no connection to keep, only the knowledge that the index exists.
  const connection = keepConnection<Pick<Egress, 'request'>>({
    async open() {
      if (!(await exists(() => egress.request(path, { method: 'HEAD', headers })))) {
        await egress.request(path, { method: 'PUT', headers })
      }
      return egress
    },
    close: () => undefined,
  })
  return {
    arn,
    send: (message, signal) =>
      connection.use(signal, async ({ request }) => {
        const { key, records, isRemoval } = readMessage(message)
        // IDs are limited to 512 bytes; keys may be longer.
        const id = createHash('sha256').update(key).digest('base64url')
        const json = { ...headers, 'content-type': 'application/json' }
        try {
          if (format === 'access')
            await request(`${path}/_doc`, { method: 'POST', headers: json, body: records, signal })
          else if (isRemoval) await exists(() => request(`${path}/_doc/${id}`, { method: 'DELETE', headers, signal }))
          else await request(`${path}/_doc/${id}`, { method: 'PUT', headers: json, body: records, signal })
        } catch (error) {
          throw error instanceof EgressError && (error.status === 400 || error.status === 413)
            ? new EventRefused(error.message, { cause: error })
            : error
        }
      }),
    close: () => connection.close(),
  }
}

/** Returns the URL without its user, and the authorization header for that user. */
function serverOf({ url = '', username = '', password = '' }: Readonly<Record<string, string>>) {
  const parsed = new URL(url)
  const user = username || decodeURIComponent(parsed.username)
  const secret = password || decodeURIComponent(parsed.password)
  const headers: Record<string, string> = { 'user-agent': 'Stowage' }
  if (user !== '') headers.authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
  return { base: `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`, headers }
}

async function exists(request: () => Promise<unknown>): Promise<boolean> {
  try {
    await request()
    return true
  } catch (error) {
    if (error instanceof EgressError && error.status === 404) return false
    throw error
  }
}
