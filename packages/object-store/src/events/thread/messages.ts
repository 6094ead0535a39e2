import type { Values } from '../../config/config.ts'

/** A target as the thread gets it. Everything that passes between the threads is plain data. */
export interface ThreadTargetSettings {
  readonly subsystem: string
  readonly arn: string
  readonly values: Values
  readonly certificateFolders: readonly string[]
}

/** From the store to the thread of the targets. `target` and `request` are numbers. */
export type ToThread =
  | { type: 'open'; target: number; settings: ThreadTargetSettings }
  | { type: 'send'; target: number; request: number; message: string; ownPorts: readonly number[] }
  | { type: 'cancel'; request: number }
  | { type: 'close'; target: number; request: number }
  | { type: 'ping' }

export type FromThread =
  /** The request is done, or has failed: `refused` means permanently. */
  | { type: 'answer'; request: number; failure?: { message: string; refused: boolean } }
  | { type: 'ready' }
  | { type: 'pong' }
  /** The thread is about to end, because code of this target threw an error that nobody caught. */
  | { type: 'fault'; target: number | undefined; message: string }

/** Data that the thread is started with. */
export interface ThreadData {
  /** The texts of the settings of the egress guard. */
  readonly egress: Readonly<Record<string, string>>
}
