import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeQuery, type SigningCredentials, type SigningKeys, signHeaders } from '@stowage/sigv4'
import { type Dispatcher, errors, getGlobalDispatcher } from 'undici'

export interface StorageConnection {
  /** Scheme, host and port of the storage server; the rest of an address is ignored. */
  readonly endpoint: string
  /** Default: undici's global one, so that all instances share their connections. */
  readonly dispatcher?: Dispatcher | undefined
  /** For streamed answers, each of which holds a connection. Default: `dispatcher`. */
  readonly streamDispatcher?: Dispatcher
  /** Caches signing keys. */
  readonly keys?: SigningKeys
  /** Default `stowage`. If it contained Mozilla, servers would answer anonymous calls with a redirect. */
  readonly userAgent?: string
  /** Timeout until the answer starts, and between its parts (ms). Default 60,000; 0 for no limit. */
  readonly timeoutMs?: number
  /** Headers added to every call, unsigned. */
  readonly headers?: Readonly<Record<string, string>>
  readonly retry?: Partial<AdminRetryOptions>
}

/** How a call is repeated if the connection broke or the server asks for it. */
export interface AdminRetryOptions {
  /** Maximum number of attempts; 1 disables retries. Default 4. */
  readonly attempts: number
  /** The pause before attempt n is random, up to unit × 2^(n-2). Default 250. */
  readonly unitMs: number
  /** Longest pause. Default 4,000. */
  readonly capMs: number
  readonly random: () => number
}

export interface StorageCall {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  readonly path: string
  readonly query?: Iterable<readonly [string, string]>
  readonly body?: Buffer
  readonly contentType?: string
  /** An ETag, sent unsigned. If it is still valid, the status of the answer is 304. */
  readonly ifNoneMatch?: string | undefined
  /** Absent: not signed. */
  readonly sign?: { readonly credentials: SigningCredentials; readonly region: string; readonly service: string }
  /** Whether the call may be repeated. */
  readonly idempotent: boolean
  readonly signal?: AbortSignal | undefined
}

export interface StorageAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

const RETRY: AdminRetryOptions = { attempts: 4, unitMs: 250, capMs: 4_000, random: Math.random }
const RETRIED_STATUS = new Set([408, 429, 502, 503])
/** Codes of connections that were established and then broke. A connection that was refused or timed out is not retried. */
const RETRIED_FAILURE = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Maximum size of an answer (bytes): far more than lists of accounts and buckets need. */
const MAX_ANSWER_BYTES = 64 * 2 ** 20
const MAX_FAILURE_BYTES = 2 ** 20

/**
 * Sends a call and reads its whole answer, whatever its status.
 * @throws errors.ResponseExceededMaxSizeError if it is too long; network errors
 */
export async function sendCall(connection: StorageConnection, call: StorageCall): Promise<StorageAnswer> {
  const retry = { ...RETRY, ...connection.retry }
  const attempts = call.idempotent ? retry.attempts : 1
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await sendOnce(connection, call)
      if (attempt >= attempts || !RETRIED_STATUS.has(answer.status)) return answer
    } catch (error) {
      if (attempt >= attempts || !isBroken(error)) throw error
    }
    await sleep(retry.random() * Math.min(retry.capMs, retry.unitMs * 2 ** (attempt - 1)), undefined, {
      ...(call.signal && { signal: call.signal }),
    })
  }
}

/** An answer whose body is streamed. */
export interface StreamedAnswer {
  readonly status: number
  readonly headers: StorageAnswer['headers']
  readonly body: AsyncIterable<Buffer>
}

/**
 * Sends a call once and resolves with the headers of its answer.
 * @param silenceMs how long the body may pause
 */
export async function sendForStream(
  connection: StorageConnection,
  call: StorageCall,
  silenceMs: number,
): Promise<StreamedAnswer> {
  const { statusCode, headers, body } = await request(connection, call, silenceMs)
  return { status: statusCode, headers, body }
}

/** Reads the body of an error answer. */
export async function readFailedAnswer({ status, headers, body }: StreamedAnswer): Promise<StorageAnswer> {
  return { status, headers, body: await readBody(body, MAX_FAILURE_BYTES) }
}

async function sendOnce(connection: StorageConnection, call: StorageCall): Promise<StorageAnswer> {
  const { statusCode, headers, body } = await request(connection, call, connection.timeoutMs ?? 60_000)
  const maxBytes = statusCode < 300 ? MAX_ANSWER_BYTES : MAX_FAILURE_BYTES
  return { status: statusCode, headers, body: await readBody(body, maxBytes) }
}

async function request(
  connection: StorageConnection,
  call: StorageCall,
  silenceMs: number,
): Promise<Dispatcher.ResponseData> {
  const { origin, host } = new URL(connection.endpoint)
  const { dispatcher = getGlobalDispatcher(), timeoutMs = 60_000 } = connection
  const query = encodeQuery(call.query ?? [])
  return await dispatcher.request({
    origin,
    method: call.method,
    path: query === '' ? call.path : `${call.path}?${query}`,
    headers: {
      ...buildHeaders(connection, call, host, query),
      ...(call.ifNoneMatch !== undefined && { 'if-none-match': call.ifNoneMatch }),
      ...connection.headers,
    },
    body: call.body ?? null,
    headersTimeout: timeoutMs,
    bodyTimeout: silenceMs,
    ...(call.signal && { signal: call.signal }),
  })
}

async function readBody(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes)
      throw new errors.ResponseExceededMaxSizeError(`The storage server's answer is longer than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

function buildHeaders(
  connection: StorageConnection,
  call: StorageCall,
  host: string,
  query: string,
): Record<string, string> {
  const headers: Record<string, string> = { host, 'user-agent': connection.userAgent ?? 'stowage' }
  if (call.contentType !== undefined) headers['content-type'] = call.contentType
  if (!call.sign) return headers
  const { method, path } = call
  const payloadHash = createHash('sha256')
    .update(call.body ?? '')
    .digest('hex')
  const options = { ...call.sign, payloadHash, ...(connection.keys && { keys: connection.keys }) }
  return signHeaders({ method, path, query, headers }, options).headers
}

function isBroken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && RETRIED_FAILURE.has(String(error.code))
}
