import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, type OnReadOpts, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { SocketTarget } from '@stowage/egress'
import type { Dispatcher } from 'undici'
import { TIMEOUTS, type Timeouts } from './timeouts.ts'

/** An answer whose headers have been read, but not its body. */
export interface ContentAnswer {
  readonly statusCode: number
  readonly headers: IncomingHttpHeaders
  /** For reading a short body here instead of forwarding it. */
  readonly body: Readable
  /**
   * Forwards the body and ends the response. If the caller disconnects, it ends early without an error.
   * @throws Error if the storage server stops early; the caller's connection is closed, so that the body does not look complete
   */
  sendTo(response: ServerResponse): Promise<void>
}

export interface ContentRequest {
  method: string
  /** Encoded, with the query. */
  path: string
  headers: Record<string, string>
  signal?: AbortSignal | undefined
}

/** Opens a socket that passes its data to `onread`; it may still be connecting. */
export type OpenSocket = (target: SocketTarget, onread: OnReadOpts) => Socket

/** Bodies of at least this size bypass the parser; for smaller ones it is not worthwhile. */
const DIRECT_BYTES = 1024 * 1024
/** Maximum size of one read. */
const CHUNK_BYTES = 512 * 1024
/** The same over TLS, which is decrypted by records of this size. */
const RECORD_BYTES = 16 * 1024
/** Maximum size of the buffers of one answer in memory; beyond it, reading from the storage server pauses. */
const MAX_PENDING_BYTES = 4 * CHUNK_BYTES
const HEAD_BYTES = 64 * 1024
const CONNECT_MS = 5_000
/** For bodies of undici. Larger than its default of 64 KiB, which wakes the reader a quarter more often. */
export const BUFFERED_BYTES = 512 * 1024

/**
 * Sends a request without a body, on a connection of its own. Node's parser reads the headers of the answer; a long body of known
 * length is then copied from socket to socket in a few reused buffers. With streams, each 64 KiB would be a new allocation, and a
 * download would take three to four times as much CPU, over TLS twice as much.
 */
export function requestContent(
  origin: URL,
  { method, path, headers, signal }: ContentRequest,
  timeouts: Timeouts = TIMEOUTS,
  openSocket: OpenSocket = openPlain,
): Promise<ContentAnswer> {
  return new Promise((resolve, reject) => {
    let connection: Connection | undefined
    // `request` calls it after it has checked the path and headers, so that a wrong one leaves no connection behind.
    const createConnection = () => {
      connection = new Connection(origin, timeouts, openSocket)
      return connection.socket
    }
    const maxHeaderSize = HEAD_BYTES
    const sent = request({ method, path, headers, createConnection, maxHeaderSize, ...(signal ? { signal } : {}) })
    sent.on('error', reject)
    sent.once('response', (response) => {
      if (!connection) return
      connection.limitSilence(response)
      resolve(createContent(response, method, connection))
    })
    sent.end()
  })
}

/** For the storage server of the settings, which needs no checks. */
function openPlain({ host, port }: SocketTarget, onread: OnReadOpts): Socket {
  return connect({ host, port, onread })
}

function createContent(response: IncomingMessage, method: string, connection: Connection): ContentAnswer {
  const { statusCode = 0, headers } = response
  const length = method === 'HEAD' || headers['transfer-encoding'] ? 0 : Number(headers['content-length'] ?? 0)
  // The reader of the body reports errors; without a listener here, an error would end the program.
  response.on('error', () => {})
  return {
    statusCode,
    headers,
    body: response,
    async sendTo(target) {
      try {
        if (length < DIRECT_BYTES) await pipeBody(response, target)
        else await connection.pipe(response, length, target)
      } catch (error) {
        target.destroy()
        throw error
      } finally {
        connection.socket.destroy()
      }
    },
  }
}

/** For answers of a connection that is kept for further requests. */
export function streamedContent({ statusCode, headers, body }: Dispatcher.ResponseData): ContentAnswer {
  return { statusCode, headers, body, sendTo: (target) => pipeBody(body, target) }
}

/** Forwards a body by streams, as `ContentAnswer.sendTo`. */
export async function pipeBody(body: Readable, target: ServerResponse): Promise<void> {
  try {
    await pipeline(body, target)
  } catch (error) {
    // This code means that the caller closed the connection; the source fails with other errors.
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) throw error
  }
}

/** A connection whose bytes first go to the parser, and after the headers of the answer directly to the caller. */
class Connection {
  readonly socket: Socket
  #receive: ((chunk: Buffer, memory: Buffer) => boolean) | undefined
  readonly #free: Buffer[] = []
  readonly #bufferBytes: number

  /** Whether reading must wait until the caller has taken more. */
  #isFull: () => boolean = () => true

  constructor(
    { protocol, hostname, port }: URL,
    private readonly timeouts: Timeouts,
    openSocket: OpenSocket,
  ) {
    const tls = protocol === 'https:'
    this.#bufferBytes = tls ? RECORD_BYTES : CHUNK_BYTES
    this.socket = openSocket(
      { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (tls ? 443 : 80)), tls },
      {
        buffer: () => this.#memory(),
        callback: (size, memory) => this.#read(memory.subarray(0, size) as Buffer, memory as Buffer),
      },
    )
    this.socket.setNoDelay(true)
    this.socket.setTimeout(CONNECT_MS, () => this.socket.destroy(timeoutError('ETIMEDOUT', 'connect')))
    this.socket.once(tls ? 'secureConnect' : 'connect', () => {
      this.socket.removeAllListeners('timeout')
      this.socket.setTimeout(timeouts.headMs, () => this.socket.destroy(timeoutError('ERR_HEADERS_TIMEOUT', 'answer')))
    })
  }

  /** Closes the connection if the server sends nothing while the caller is ready for more. */
  limitSilence(response: IncomingMessage): void {
    const { socket, timeouts } = this
    this.#isFull = () => response.readableLength >= response.readableHighWaterMark
    socket.removeAllListeners('timeout')
    socket.setTimeout(timeouts.streamMs, () => {
      if (!this.#isFull()) return socket.destroy(timeoutError('UND_ERR_BODY_TIMEOUT', 'send more of its answer'))
      // The timer fires once; without this, only new data would start it again.
      return socket.setTimeout(timeouts.streamMs)
    })
  }

  #memory(): Buffer {
    // The reader of the answer keeps buffers given to the parser, so this one cannot be reused.
    if (!this.#receive) return Buffer.allocUnsafeSlow(HEAD_BYTES)
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#bufferBytes)
  }

  #read(chunk: Buffer, memory: Buffer): boolean {
    if (this.#receive) return this.#receive(chunk, memory)
    this.socket.emit('data', chunk)
    return true
  }

  /** Forwards a body without the parser, until it is complete or the caller disconnects. @param length bytes */
  pipe(response: IncomingMessage, length: number, target: ServerResponse): Promise<void> {
    const { socket } = this
    return new Promise((resolve, reject) => {
      if (target.destroyed) return resolve()
      let left = length
      let pending = 0
      this.#isFull = () => pending >= MAX_PENDING_BYTES
      target.once('close', resolve)
      socket.once('error', reject)
      socket.once('close', () => left > 0 && reject(cutOffError(left)))
      const send = (chunk: Buffer, memory?: Buffer): boolean => {
        left -= chunk.length
        if (left < 0) {
          reject(new Error(`The storage server sent more than the ${length} bytes it announced`))
          return false
        }
        const bytes = (memory ?? chunk).length
        pending += bytes
        // The buffer may be reused only after this callback.
        target.write(chunk, () => {
          const wasFull = this.#isFull()
          pending -= bytes
          if (memory?.length === this.#bufferBytes) this.#free.push(memory)
          if (left > 0 && wasFull && !this.#isFull()) socket.resume()
        })
        if (left === 0) target.end()
        return left > 0 && !this.#isFull()
      }
      const before: unknown = response.read()
      this.#receive = send
      if (before instanceof Buffer) send(before)
      if (left > 0) socket.resume()
    })
  }
}

function cutOffError(left: number): Error {
  return Object.assign(new Error(`The storage server closed the connection ${left} bytes before the end`), {
    code: 'ECONNRESET',
  })
}

function timeoutError(code: string, what: string): Error {
  return Object.assign(new Error(`The storage server did not ${what} in time`), { code })
}
