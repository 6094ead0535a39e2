/** Address of a store that is ready. */
export interface StoreAddress {
  address: string
  port: number
  /** Whether this start generated the administrator's credentials, which nobody has seen yet. */
  newCredentials: boolean
}

/** An identity provider (OpenID) of the configuration that the sign-in page offers. */
export interface SignInProvider {
  /** Its name in the configuration. */
  target: string
  displayName: string
  /** Address of the discovery document. */
  configUrl: string
  clientId: string
  clientSecret: string
  /** Address of the console to which the provider redirects users. */
  callback: string
  /** Separated by commas. */
  scopes: string
  /** Set if this provider has role policies instead of a claim. */
  roleArn?: string
}

/** Messages of the store's process to its parent over the IPC channel. */
export type StoreMessage =
  | ({ type: 'ready' } & StoreAddress)
  /** One line for the user. The process exits with code 1. */
  | { type: 'failed'; message: string }
  /** A restart, or a permanent stop, was requested by the admin API. */
  | { type: 'restart' }
  | { type: 'stopped' }
  /** The providers of the sign-in page. Sent only to a console, before `ready` and after each change. */
  | { type: 'providers'; providers: SignInProvider[] }
  /** Audit records, one a line. The parent answers with `audited` when it has stored them. */
  | { type: 'audit'; id: number; lines: string }

/** The parent's messages to the store. */
export type StoreCommand =
  /** End after the running requests. The end of the channel means the same. */
  | { type: 'stop' }
  /** The records of this id are stored, or could not be. */
  | { type: 'audited'; id: number; error?: string }
