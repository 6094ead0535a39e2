import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Origin } from './origin.ts'

/** What is known of one request when it has ended. */
export interface RequestRecord {
  /** As sent in `x-amz-request-id`. */
  readonly id: string
  /** ms since 1970. */
  readonly startedAt: number
  readonly method: string
  /** Path and query as sent, without what would let a reader of the log in. */
  readonly url: string
  /** The client's; see `originOf`. */
  readonly remoteAddress: string
  /** Whether the client's connection is encrypted. */
  readonly secure: boolean
  /** `PutObject`, `AssumeRole`, `admin:ListUsers` …; empty when the request was refused before it was known. */
  operation: string
  bucket: string
  key: string
  /** Empty for anonymous requests. */
  accessKey: string
  /** The user behind the access key; empty for anonymous requests. */
  user: string
  status: number
  /** Code of the error told to the client; empty on success. */
  errorCode: string
  /** Bytes of the body received, as on the wire. */
  bytesIn: number
  /** Bytes sent, with headers. */
  bytesOut: number
  durationMs: number
  /** The client went away before the answer was complete. */
  aborted: boolean
}

/** Codes of 5xx answers that say something about the request and not the store. A stranger must not fill the log by them. */
const OF_THE_REQUEST = new Set(['NotImplemented', 'SlowDown'])

/**
 * Every request passes here once at its start and once at its end. The log is the first subscriber; trace, audit and
 * metrics are others.
 */
export class Recorder {
  readonly #listeners = new Set<(record: RequestRecord) => void>()
  readonly #log: Logger
  readonly #idPrefix = Date.now().toString(16).padStart(12, '0').slice(-8).toUpperCase()
  #count = 0
  #running = 0

  constructor(log: Logger) {
    this.#log = log
  }

  /** Requests begun and not ended. */
  get running(): number {
    return this.#running
  }

  /** Calls back with each ended request. Returns the function that ends it. */
  subscribe(listener: (record: RequestRecord) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  start(request: IncomingMessage, response: ServerResponse, origin: Origin): RequestRecord {
    this.#count = (this.#count + 1) >>> 0
    this.#running++
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
      aborted: false,
    }
    response.once('close', () => {
      this.#running--
      record.status = response.statusCode
      record.bytesOut = socket.bytesWritten - sentBefore
      record.durationMs = performance.now() - begin
      record.aborted = !response.writableFinished
      this.#report(record)
    })
    return record
  }

  #report(record: RequestRecord): void {
    if (record.status >= 500 && !OF_THE_REQUEST.has(record.errorCode))
      this.#log.warn({ request: record }, `${record.operation} failed: ${record.errorCode}`)
    else if (this.#log.isLevelEnabled('debug')) this.#log.debug({ request: record }, record.operation)
    for (const listener of this.#listeners) listener(record)
  }
}

/** A presigned URL opens its object to whoever has it. Its parameters count in any case, and percent-encoded. */
function withoutSecrets(url: string): string {
  const mark = url.indexOf('?')
  if (mark < 0 || !/signature|token|%/i.test(url)) return url
  const pairs = url.slice(mark + 1).split('&')
  return `${url.slice(0, mark)}?${pairs.map(withoutSecret).join('&')}`
}

/** Those of version 2 are refused here, but good elsewhere. */
const SECRET = /^(?:x-amz-)?(?:signature|security-token)$/i

function withoutSecret(pair: string): string {
  const [name = ''] = pair.split('=', 1)
  const [decoded = ''] = new URLSearchParams(name).keys()
  return SECRET.test(decoded) ? `${name}=...` : pair
}
