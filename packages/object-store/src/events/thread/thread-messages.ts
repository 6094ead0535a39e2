import type { ConfigValues } from '../../config/config.ts'

/** A target as sent to the worker thread. Only plain data can pass between threads. */
export interface ThreadTargetSettings {
  readonly subsystem: string
  readonly arn: string
  readonly values: ConfigValues
  readonly certificateFolders: readonly string[]
}

/** Messages from the store to the worker thread. `target` and `request` are IDs. */
export type ThreadCommand =
  | { type: 'open'; target: number; settings: ThreadTargetSettings }
  | { type: 'send'; target: number; request: number; message: string; ownPorts: readonly number[] }
  | { type: 'cancel'; request: number }
  | { type: 'close'; target: number; request: number }
  | { type: 'ping' }

export type ThreadReply =
  /** The request succeeded, or failed; `refused` means permanently. */
  | { type: 'answer'; request: number; failure?: { message: string; refused: boolean } }
  | { type: 'ready' }
  | { type: 'pong' }
  /** The thread is about to end, because code of this target threw an error that nobody caught. */
  | { type: 'fault'; target: number | undefined; message: string }

/** Data passed to the thread at its start. */
export interface ThreadData {
  /** Settings of the egress guard as text. */
  readonly egress: Readonly<Record<string, string>>
}
