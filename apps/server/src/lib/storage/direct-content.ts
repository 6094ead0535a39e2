import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { PATIENCE, type Patience } from './patience.ts'

/** An answer whose head has been read and whose body has not. */
export interface Content {
  readonly statusCode: number
  readonly headers: IncomingHttpHeaders
  /** To be read here instead of sent on, for what is short. */
  readonly body: Readable
  /**
   * Sends the body on and ends the response; a caller that leaves ends it early, without an error.
   * @throws Error when the storage server breaks off; the response is torn off then, so that it does not look whole
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

/** Bodies from this size on go past the parser; for smaller ones it is not worth it. */
const DIRECT_BYTES = 1024 * 1024
/** Read at once, at most. */
const CHUNK_BYTES = 512 * 1024
/** Chunks of one answer in memory; beyond them the storage server waits for the caller. */
const CHUNKS = 4
const HEAD_BYTES = 64 * 1024
const CONNECT_MS = 5_000

/**
 * Asks a server over plain HTTP. Node's parser reads the head; a long body of known length then goes from socket to
 * socket in a few buffers that are used again and again. Through streams each 64 KiB would be memory of its own, and a
 * download would cost the console three to four times as much CPU.
 */
export function requestContent(
  origin: URL,
  { method, path, headers, signal }: ContentRequest,
  patience: Patience = PATIENCE,
): Promise<Content> {
  return new Promise((resolve, reject) => {
    const line = new Line(origin, patience)
    const asked = request({ method, path, headers, createConnection: () => line.socket, ...(signal ? { signal } : {}) })
    asked.on('error', reject)
    asked.once('response', (response) => {
      line.limitSilence(response)
      resolve(contentOf(response, method, line))
    })
    asked.end()
  })
}

function contentOf(response: IncomingMessage, method: string, line: Line): Content {
  const { statusCode = 0, headers } = response
  const length = method === 'HEAD' || headers['transfer-encoding'] ? 0 : Number(headers['content-length'] ?? 0)
  // Told by who reads the body; without a listener it would end the program.
  response.on('error', () => {})
  return {
    statusCode,
    headers,
    body: response,
    async sendTo(target) {
      try {
        if (length < DIRECT_BYTES) await sendOn(response, target)
        else await line.carry(response, length, target)
      } catch (error) {
        target.destroy()
        throw error
      } finally {
        line.socket.destroy()
      }
    },
  }
}

/** Sends a body on by streams, as `Content.sendTo`. */
export async function sendOn(body: Readable, target: ServerResponse): Promise<void> {
  try {
    await pipeline(body, target)
  } catch (error) {
    // A source fails with an error of its own; only the caller's side just closes.
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) throw error
  }
}

/** A connection whose bytes go to the parser first, and then wherever the body is to go. */
class Line {
  readonly socket: Socket
  #receive: ((chunk: Buffer, memory: Buffer) => boolean) | undefined
  readonly #free: Buffer[] = []

  /** Whether the caller has to take something before more is read. */
  #isFull: () => boolean = () => true

  constructor(
    { hostname, port }: URL,
    private readonly patience: Patience,
  ) {
    this.socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || 80),
      noDelay: true,
      onread: {
        buffer: () => this.#memory(),
        callback: (size, memory) => this.#read(memory.subarray(0, size) as Buffer, memory as Buffer),
      },
    })
    this.socket.setTimeout(CONNECT_MS, () => this.socket.destroy(timedOut('ETIMEDOUT', 'connect')))
    this.socket.once('connect', () => {
      this.socket.removeAllListeners('timeout')
      this.socket.setTimeout(patience.headMs, () => this.socket.destroy(timedOut('ERR_HEADERS_TIMEOUT', 'answer')))
    })
  }

  /** Ends the connection when the server is silent although its bytes would be read at once. */
  limitSilence(response: IncomingMessage): void {
    const { socket, patience } = this
    this.#isFull = () => response.readableLength >= response.readableHighWaterMark
    socket.removeAllListeners('timeout')
    socket.setTimeout(patience.streamMs, () => {
      if (!this.#isFull()) return socket.destroy(timedOut('UND_ERR_BODY_TIMEOUT', 'go on'))
      // The clock stops when it has rung, and reading on alone does not start it again.
      return socket.setTimeout(patience.streamMs)
    })
  }

  #memory(): Buffer {
    // What the parser gets is kept by who reads the answer.
    if (!this.#receive) return Buffer.allocUnsafeSlow(HEAD_BYTES)
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES)
  }

  #read(chunk: Buffer, memory: Buffer): boolean {
    if (this.#receive) return this.#receive(chunk, memory)
    this.socket.emit('data', chunk)
    return true
  }

  /** Sends a body on past the parser, until it is sent or the caller has left. @param length bytes */
  carry(response: IncomingMessage, length: number, target: ServerResponse): Promise<void> {
    const { socket } = this
    return new Promise((resolve, reject) => {
      if (target.destroyed) return resolve()
      let left = length
      let onTheWay = 0
      this.#isFull = () => onTheWay >= CHUNKS
      target.once('close', resolve)
      socket.once('error', reject)
      socket.once('close', () => left > 0 && reject(cutOff(left)))
      const send = (chunk: Buffer, memory?: Buffer): boolean => {
        left -= chunk.length
        if (left < 0) {
          reject(new Error(`the storage server sent more than the ${length} bytes it announced`))
          return false
        }
        onTheWay++
        // Only the callback tells that the memory is free again.
        target.write(chunk, () => {
          onTheWay--
          if (memory?.length === CHUNK_BYTES) this.#free.push(memory)
          if (left > 0 && onTheWay === CHUNKS - 1) socket.resume()
        })
        if (left === 0) target.end()
        return left > 0 && onTheWay < CHUNKS
      }
      const before: unknown = response.read()
      this.#receive = send
      if (before instanceof Buffer) send(before)
      if (left > 0) socket.resume()
    })
  }
}

function cutOff(left: number): Error {
  return Object.assign(new Error(`the storage server broke off ${left} bytes before the end`), { code: 'ECONNRESET' })
}

function timedOut(code: string, what: string): Error {
  return Object.assign(new Error(`The storage server did not ${what} in time`), { code })
}
