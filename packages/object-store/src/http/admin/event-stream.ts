import type { Call } from '../call.ts'

/** Bytes that may wait for a slow client before records are dropped. */
const MAX_WAITING = 4 << 20

/** An answer of JSON values without an end, each ended by a newline. */
export interface EventStream {
  /** Sends a value, or drops it when the client is too slow: nothing in the store waits for a reader. */
  write(value: object): void
  /** Values dropped since `takeDropped` was called. */
  takeDropped(): number
  /** Called once, when the client has left or the store closes. */
  onEnd(listener: () => void): void
}

/**
 * Begins such an answer.
 * @param keepAliveMs interval at which a space is sent while there is no data, so that no proxy closes the idle connection
 * @param afterDrop called when a client that was too slow has read everything
 */
export function openEventStream(call: Call, keepAliveMs: number, afterDrop: () => void = () => {}): EventStream {
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
