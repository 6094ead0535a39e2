/** Where a store listens, once it is ready. */
export interface StorePlace {
  address: string
  port: number
  /** This start made the credentials of the administrator, which nobody has seen yet. */
  newCredentials: boolean
}

/** Messages of the store's process to its parent over the IPC channel. */
export type StoreMessage =
  | ({ type: 'ready' } & StorePlace)
  /** One line for a person. The process ends with code 1. */
  | { type: 'failed'; message: string }
  /** A restart, or a permanent stop, was requested by the admin API. */
  | { type: 'restart' }
  | { type: 'stopped' }
  /** Audit records, one a line. The parent answers with `audited` when it has stored them. */
  | { type: 'audit'; id: number; lines: string }

/** The parent's messages to the store. */
export type StoreCommand =
  /** End after the running requests. The end of the channel means the same. */
  | { type: 'stop' }
  /** The records of this id are stored, or could not be. */
  | { type: 'audited'; id: number; error?: string }
