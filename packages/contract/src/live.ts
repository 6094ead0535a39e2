import type { ApiError } from './errors.ts'

/**
 * The subprotocol of our own pages. A client that does not ask for it gets one message per text frame and nothing else;
 * one that does gets batches of messages, and frames that describe the stream.
 */
export const LIVE_PROTOCOL = 'stowage.1'

/** One text frame of `LIVE_PROTOCOL`. */
export type LiveFrame<Message> =
  /** The storage server accepted the call. Sent once, before any message. */
  | { kind: 'started' }
  | { kind: 'messages'; messages: Message[] }
  /** Messages that were dropped because they came faster than they could be sent, or were too long. */
  | { kind: 'lost'; count: number }
  /** The connection to the storage server broke; it is opened again after `retryMs`. */
  | { kind: 'interrupted'; message: string; retryMs: number }
  /** The storage server accepted the call again. What happened meanwhile is missing. */
  | { kind: 'resumed' }
  /** A step of a call that ends by itself. */
  | { kind: 'progress'; step: string; done: number; total?: number }
  /** The last frame before an abnormal close. It has the whole text, of which a close frame has room for 123 bytes. */
  | { kind: 'failed'; error: ApiError }

/** Close codes. */
export const LIVE_CLOSE = {
  /** The call has ended. */
  done: 1000,
  /** The console is stopping. */
  stopping: 1001,
  /** A wrong option, a missing right, or the session has ended. */
  refused: 1008,
  /** The storage server failed. */
  failed: 1011,
} as const
