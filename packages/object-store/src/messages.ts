/** Where a store listens, once it is ready. */
export interface StorePlace {
  address: string
  port: number
  /** This start made the credentials of the administrator, which nobody has seen yet. */
  newCredentials: boolean
}

/** What the store's process tells its parent over the IPC channel. */
export type StoreMessage =
  | ({ type: 'ready' } & StorePlace)
  /** One line for a person. The process ends with code 1. */
  | { type: 'failed'; message: string }
  /** Somebody asked by the admin API for a restart, or for a stop that is to last. */
  | { type: 'restart' }
  | { type: 'stopped' }

/** What the parent tells the store: end after the running requests. The end of the channel means the same. */
export type StoreCommand = { type: 'stop' }
