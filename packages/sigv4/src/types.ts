/** Credentials that sign requests. Temporary ones have a session token. */
export interface SigningCredentials {
  readonly accessKey: string
  readonly secretKey: string
  readonly sessionToken?: string
}

/** Where and when a signature is valid. */
export interface SigningScope {
  /** Day in UTC, `20261121`. */
  readonly date: string
  /** May be empty, as in requests to MinIO's admin API. */
  readonly region: string
  readonly service: string
}

/** Headers as `node:http` gives them: lower case; arrays are joined by a comma. */
export type SignableHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** The parts of a request that a signature covers, as they are sent. */
export interface SignableRequest {
  readonly method: string
  /** Percent-encoded path from the first `/`, without the query, never normalized. See `encodePath`. */
  readonly path: string
  /** Percent-encoded query without `?`; may be empty. */
  readonly query: string
  readonly headers: SignableHeaders
}
