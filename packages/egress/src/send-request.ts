import { type Dispatcher, errors } from 'undici'
import { EgressError } from './egress-error.ts'

export interface EgressRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  headers?: Record<string, string>
  body?: string | Uint8Array
  signal?: AbortSignal
  /** Timeout from the request to the last byte of the answer (ms). Default 10,000. */
  timeoutMs?: number
  /** Maximum size of the answer (bytes). Default 1 MiB. */
  maxBytes?: number
}

/** An answer with a success status. */
export interface EgressAnswer {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
}

/** @throws EgressError, or the signal's reason */
export async function sendRequest(
  dispatcher: Dispatcher,
  address: string | URL,
  { method = 'GET', headers = {}, body, signal, timeoutMs = 10_000, maxBytes = 2 ** 20 }: EgressRequest = {},
): Promise<EgressAnswer> {
  const url = readUrl(address)
  const timer = AbortSignal.timeout(timeoutMs)
  try {
    const answer = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers,
      body: body ?? null,
      signal: signal ? AbortSignal.any([signal, timer]) : timer,
    })
    if (answer.statusCode >= 300) {
      // The body is discarded: a page of an internal server must not be shown to the user who entered its address.
      answer.body.on('error', () => {}).destroy()
      throw refusedStatus(url, answer.statusCode)
    }
    return { status: answer.statusCode, headers: answer.headers, body: await readBody(url, answer.body, maxBytes) }
  } catch (error) {
    if (error instanceof EgressError) throw error
    if (timer.aborted) throw new EgressError('TimedOut', `${url.host} did not answer within ${timeoutMs} ms`)
    if (signal?.aborted) throw signal.reason
    const code =
      error instanceof errors.UndiciError ? error.code : String((error as { code?: unknown }).code ?? 'failed')
    throw new EgressError('Unreachable', `The connection to ${url.host} failed (${code})`, { cause: error })
  }
}

function readUrl(address: string | URL): URL {
  const url = URL.canParse(String(address)) ? new URL(address) : undefined
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new EgressError('BadAddress', 'The address must begin with http:// or https://')
  if (url.username !== '' || url.password !== '')
    throw new EgressError('BadAddress', 'The address must not contain a user name or a password')
  return url
}

function refusedStatus({ host }: URL, status: number): EgressError {
  if (status < 400)
    return new EgressError('Redirect', `${host} redirects to another address, which is not followed`, { status })
  return new EgressError('Status', `${host} answered ${status}`, { status })
}

async function readBody({ host }: URL, body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new EgressError('TooLarge', `${host} sent more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}
