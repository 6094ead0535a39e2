/** Address of a store that is ready. */
export interface StorePlace {
  address: string
  port: number
  /** Whether this start generated the administrator's credentials, which nobody has seen yet. */
  newCredentials: boolean
}

/** Messages of the store's process to its parent over the IPC channel. */
export type StoreMessage =
  | ({ type: 'ready' } & StorePlace)
  /** One line for the user. The process exits with code 1. */
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
