import type { ApiError } from './api-error.ts'

/**
 * The WebSocket subprotocol of the console's own pages. With it, frames contain batches of messages or describe the stream.
 * Without it, each text frame is one message.
 */
export const LIVE_PROTOCOL = 'stowage.1'

/** A text frame of `LIVE_PROTOCOL`. */
export type LiveFrame<Message> =
  /** The storage server accepted the call. Sent once, before any message. */
  | { kind: 'started' }
  | { kind: 'messages'; messages: Message[] }
  /** Messages were dropped because they arrived faster than they could be sent, or were too long. */
  | { kind: 'lost'; count: number }
  /** The connection to the storage server broke. It is opened again after `retryMs`. */
  | { kind: 'interrupted'; message: string; retryMs: number }
  /** The storage server accepted the call again. Messages from the meantime are missing. */
  | { kind: 'resumed' }
  /** Progress of a call that ends by itself. */
  | { kind: 'progress'; step: string; done: number; total?: number }
  /** The last frame before an abnormal close. It contains the full message; a close frame has room for only 123 bytes. */
  | { kind: 'failed'; error: ApiError }

/** Close codes. */
export const LIVE_CLOSE = {
  /** The call has ended. */
  done: 1000,
  /** The console is stopping. */
  stopping: 1001,
  /** An invalid option, a missing permission, or the session has ended. */
  refused: 1008,
  /** The storage server failed. */
  failed: 1011,
} as const
