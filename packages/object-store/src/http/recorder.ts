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
    if (record.status >= 500) this.#log.warn({ request: record }, `${record.operation} failed: ${record.errorCode}`)
    else if (this.#log.isLevelEnabled('debug')) this.#log.debug({ request: record }, record.operation)
    for (const listener of this.#listeners) listener(record)
  }
}

/** A presigned URL opens its object to whoever has it. */
function withoutSecrets(url: string): string {
  return url.includes('X-Amz-') ? url.replace(/(X-Amz-(?:Signature|Security-Token)=)[^&]*/g, '$1...') : url
}
