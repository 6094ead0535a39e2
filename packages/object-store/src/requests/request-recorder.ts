import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { RequestOrigin } from './request-origin.ts'

/** Facts about a finished request. */
export interface RequestRecord {
  /** As sent in `x-amz-request-id`. */
  readonly id: string
  /** ms since 1970. */
  readonly startedAt: number
  readonly method: string
  /** Path and query as sent, without signatures and tokens. */
  readonly url: string
  /** Address of the client; see `requestOrigin`. */
  readonly remoteAddress: string
  /** Whether the client's connection is encrypted. */
  readonly secure: boolean
  /** `PutObject`, `AssumeRole`, `admin:ListUsers` …; empty if the request was refused before its operation was known. */
  operation: string
  bucket: string
  key: string
  /** Empty for anonymous requests. */
  accessKey: string
  /** The user behind the access key; empty for anonymous requests. */
  user: string
  status: number
  /** Error code sent to the client; empty on success. */
  errorCode: string
  /** Bytes of the body received, as on the wire. */
  bytesIn: number
  /** Bytes sent, with headers. */
  bytesOut: number
  durationMs: number
  /** Time until the headers of the answer were sent; 0 if none were. */
  firstByteMs: number
  /** Headers of the answer, without those that Node adds, such as Date. */
  responseHeaders: Readonly<Record<string, string | number>>
  /** When the request began, in ms of `performance.now()`. */
  readonly begin: number
  /** Whether the client disconnected before the answer was complete. */
  aborted: boolean
}

/** Called with the record of a finished request, and the request for its headers, which contain secrets. */
type Listener = (record: RequestRecord, request: IncomingMessage) => void

const NO_HEADERS: RequestRecord['responseHeaders'] = {}

/** Records the headers of an answer. */
export function recordAnswerHeaders(record: RequestRecord, headers: RequestRecord['responseHeaders']): void {
  record.firstByteMs = performance.now() - record.begin
  record.responseHeaders = headers
}

/** Codes of 5xx answers that are caused by the request, not by the store. Anonymous callers must not fill the log with them. */
const CAUSED_BY_REQUEST = new Set(['NotImplemented', 'SlowDown', 'XMinioLDAPNotEnabled'])

/** Notified at the start and end of every request. The log is the first subscriber; trace, audit and metrics are others. */
export class RequestRecorder {
  readonly #listeners = new Set<Listener>()
  readonly #log: Logger
  readonly #idPrefix = Date.now().toString(16).padStart(12, '0').slice(-8).toUpperCase()
  readonly #unfinished = new Set<RequestRecord>()
  #count = 0

  constructor(log: Logger) {
    this.#log = log
  }

  /** Requests in flight. */
  get running(): number {
    return this.#unfinished.size
  }

  /** Whether clients wait for answers of S3 or STS. Calls of administrators and endless answers do not count. */
  get isBusy(): boolean {
    for (const { operation } of this.#unfinished) if (!isBackground(operation)) return true
    return false
  }

  /** Returns the facts known so far about unfinished requests. */
  get unfinished(): Iterable<Readonly<RequestRecord>> {
    return this.#unfinished
  }

  /** Calls back with each finished request. Returns a function to unsubscribe. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  start(request: IncomingMessage, response: ServerResponse, origin: RequestOrigin): RequestRecord {
    this.#count = (this.#count + 1) >>> 0
    const { socket } = request
    const sentBefore = socket.bytesWritten
    const begin = performance.now()
    const record: RequestRecord = {
      id: this.#idPrefix + this.#count.toString(16).padStart(8, '0').toUpperCase(),
      startedAt: Date.now(),
      method: request.method ?? '',
      url: withoutSecrets(request.url ?? ''),
      remoteAddress: origin.address,
      secure: origin.secure,
      operation: '',
      bucket: '',
      key: '',
      accessKey: '',
      user: '',
      status: 0,
      errorCode: '',
      bytesIn: 0,
      bytesOut: 0,
      durationMs: 0,
      firstByteMs: 0,
      responseHeaders: NO_HEADERS,
      begin,
      aborted: false,
    }
    this.#unfinished.add(record)
    response.once('close', () => {
      this.#unfinished.delete(record)
      record.status = response.statusCode
      record.bytesOut = socket.bytesWritten - sentBefore
      record.durationMs = performance.now() - begin
      record.aborted = !response.writableFinished
      this.#report(record, request)
    })
    return record
  }

  #report(record: RequestRecord, request: IncomingMessage): void {
    if (record.status >= 500 && !CAUSED_BY_REQUEST.has(record.errorCode))
      this.#log.warn({ request: logFields(record) }, `${record.operation} failed: ${record.errorCode}`)
    else if (this.#log.isLevelEnabled('debug')) this.#log.debug({ request: logFields(record) }, record.operation)
    for (const listener of this.#listeners) listener(record, request)
  }
}

const isBackground = (operation: string) => operation.includes(':') || operation.startsWith('Listen')

function logFields({ responseHeaders: _, begin: __, ...told }: RequestRecord): object {
  return told
}

/**
 * Redacts a presigned URL, which gives access to anyone who has it. Its parameters are case-insensitive and may be
 * percent-encoded.
 */
function withoutSecrets(url: string): string {
  const mark = url.indexOf('?')
  if (mark < 0 || !/signature|token|customer-key|%/i.test(url)) return url
  const pairs = url.slice(mark + 1).split('&')
  return `${url.slice(0, mark)}?${pairs.map(withoutSecret).join('&')}`
}

/** Signatures of version 2 are refused here, but valid elsewhere. */
const SECRET = /^(?:x-amz-)?(?:signature|security-token|(?:copy-source-)?server-side-encryption-customer-key)$/i

function withoutSecret(pair: string): string {
  const [name = ''] = pair.split('=', 1)
  const [decoded = ''] = new URLSearchParams(name).keys()
  return SECRET.test(decoded) ? `${name}=...` : pair
}
