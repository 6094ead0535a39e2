import type { StoreCall } from './call.ts'

/** Maximum number of bytes buffered for a slow client. Further records are dropped. */
const MAX_WAITING = 4 << 20

/** An endless answer of JSON values, each followed by a newline. */
export interface EventStream {
  /** Sends a value, or drops it if the client is too slow. Never waits for the client. */
  write(value: object): void
  /** Returns the number of values dropped since the last call. */
  takeDropped(): number
  /** Calls the listener once, when the client has disconnected or the store closes. */
  onEnd(listener: () => void): void
}

/**
 * Starts an endless answer.
 * @param keepAliveMs interval at which a space is sent while there is no data, so that proxies keep the connection open
 * @param afterDrop called after values were dropped and the client has read all buffered ones
 */
export function openEventStream(call: StoreCall, keepAliveMs: number, afterDrop: () => void = () => {}): EventStream {
  const { response, store } = call
  const listeners: (() => void)[] = []
  let dropped = 0
  let quiet = true
  call.head(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' })
  response.flushHeaders()
  const keepAlive = setInterval(() => {
    if (quiet && response.writableLength === 0) response.write(' ')
    quiet = true
  }, keepAliveMs)
  const end = () => response.end()
  response.on('drain', () => {
    if (dropped > 0) afterDrop()
  })
  response.once('close', () => {
    clearInterval(keepAlive)
    store.closing.removeEventListener('abort', end)
    for (const listener of listeners) listener()
  })
  store.closing.addEventListener('abort', end)
  return {
    write(value) {
      quiet = false
      if (response.writableEnded) return
      if (response.writableLength > MAX_WAITING) dropped++
      else response.write(`${JSON.stringify(value)}\n`)
    },
    takeDropped() {
      const count = dropped
      dropped = 0
      return count
    },
    onEnd: (listener) => listeners.push(listener),
  }
}
