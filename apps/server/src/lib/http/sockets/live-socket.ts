import { setImmediate } from 'node:timers/promises'
import { type ApiError, LIVE_CLOSE, type LiveFrame } from '@stowage/contract'
import type { WebSocket } from 'ws'

/** Maximum number of unsent bytes for a slow reader; beyond it, reading from the storage server pauses. */
const MAX_UNSENT = 1 << 20
/** Messages of `LIVE_PROTOCOL` are sent in batches: those that arrive within this time (ms), up to this many characters. */
const BATCH_MS = 40
const BATCH_CHARACTERS = 64 << 10
/** Number of characters to send before other work gets its turn. */
const CHARACTERS_A_TURN = 256 << 10
/** Maximum size of the reason in a close frame (bytes). */
const MAX_REASON = 123

export interface HeartbeatTimes {
  /** Interval of pings (ms). */
  pingMs: number
  /** The connection is considered dead after this time without a frame or pong (ms). */
  silentMs: number
}
export const HEARTBEAT_TIMES: HeartbeatTimes = { pingMs: 20_000, silentMs: 60_000 }

/** The server's end of a WebSocket call. */
export class LiveSocket<Message> {
  readonly #ended = new AbortController()
  readonly #socket: WebSocket
  readonly #batched: boolean
  #batch: string[] = []
  #batchLength = 0
  #batchTimer: NodeJS.Timeout | undefined
  #lost = 0
  #wakers: (() => void)[] = []
  #lastSeen = Date.now()
  #sinceTurn = 0

  /** @param batched whether the client supports `LIVE_PROTOCOL` */
  constructor(socket: WebSocket, batched: boolean, { pingMs, silentMs } = HEARTBEAT_TIMES) {
    this.#socket = socket
    this.#batched = batched
    const seen = () => {
      this.#lastSeen = Date.now()
    }
    // As in the original, the client's frames only show that it is alive.
    socket.on('message', seen).on('ping', seen).on('pong', seen)
    const heart = setInterval(() => {
      if (Date.now() - this.#lastSeen >= silentMs) socket.terminate()
      else socket.ping()
    }, pingMs)
    socket.once('close', () => {
      clearInterval(heart)
      clearTimeout(this.#batchTimer)
      this.#ended.abort()
      this.#wake()
    })
  }

  /** Aborts when either side ends the connection. */
  get signal(): AbortSignal {
    return this.#ended.signal
  }

  /** Sends a message. Await it: it resolves when the client has room for more. */
  async send(message: Message): Promise<void> {
    await this.sendText(JSON.stringify(message))
  }

  /** Like `send`, for a message that is already JSON. */
  async sendText(json: string): Promise<void> {
    if (this.#batched) this.#add(json)
    else this.#write(json)
    this.#sinceTurn += json.length
    // A loop of sends must not block events of this and other connections, such as its close.
    if (this.#sinceTurn > CHARACTERS_A_TURN) {
      this.#sinceTurn = 0
      await setImmediate()
    }
    while (this.#unsent > MAX_UNSENT && !this.signal.aborted) await new Promise<void>((wake) => this.#wakers.push(wake))
  }

  /** Counts messages that were dropped. */
  lost(count: number): void {
    this.#lost += count
    if (this.#batched) this.#schedule()
  }

  /** Sends a frame about the stream, if the client supports it. */
  control(frame: Exclude<LiveFrame<Message>, { kind: 'messages' | 'lost' }>): void {
    if (!this.#batched) return
    this.#flush()
    this.#write(JSON.stringify(frame))
  }

  /** Ends the connection after everything queued has been sent. @param error sent to the client in full */
  close(code: number, reason = '', error?: ApiError): void {
    if (this.#batched) {
      this.#flush()
      if (error) this.#write(JSON.stringify({ kind: 'failed', error } satisfies LiveFrame<Message>))
    }
    // A client that does not read would never receive the close.
    if (this.#unsent > MAX_UNSENT && code !== LIVE_CLOSE.done) this.#socket.terminate()
    else this.#socket.close(code, cutCloseReason(reason))
    this.#ended.abort()
    this.#wake()
  }

  get #unsent(): number {
    return this.#socket.bufferedAmount + this.#batchLength
  }

  #add(json: string): void {
    this.#batch.push(json)
    this.#batchLength += json.length
    if (this.#batchLength >= BATCH_CHARACTERS) this.#flush()
    else this.#schedule()
  }

  #schedule(): void {
    this.#batchTimer ??= setTimeout(() => this.#flush(), BATCH_MS)
  }

  #flush(): void {
    clearTimeout(this.#batchTimer)
    this.#batchTimer = undefined
    const batch = this.#batch
    this.#batch = []
    this.#batchLength = 0
    if (batch.length > 0) this.#write(`{"kind":"messages","messages":[${batch.join(',')}]}`)
    if (this.#lost > 0) {
      this.#write(JSON.stringify({ kind: 'lost', count: this.#lost } satisfies LiveFrame<Message>))
      this.#lost = 0
    }
  }

  #write(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    // Also called if the socket is closed; `close` then gets the error.
    this.#socket.send(text, () => {
      if (this.#unsent <= MAX_UNSENT) this.#wake()
    })
  }

  #wake(): void {
    const wakers = this.#wakers
    this.#wakers = []
    for (const wake of wakers) wake()
  }
}

/** Returns the longest beginning of a text that fits into a close frame, cut at a character boundary. */
export function cutCloseReason(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= MAX_REASON) return text
  let end = MAX_REASON
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}
