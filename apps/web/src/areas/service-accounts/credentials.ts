/** Newly created keys; they cannot be read again. */
export interface NewCredentials {
  /** One or more pairs. */
  console: readonly { accessKey: string; secretKey: string }[]
  /** The users are in an external identity provider: there are no keys to show. */
  idp?: boolean
}

/** Returns the content of `credentials.json`. */
export function credentialsFile({ console }: NewCredentials): string {
  const pairs = console.map(({ accessKey, secretKey }) => ({ access_key: accessKey, secret_key: secretKey }))
  return JSON.stringify({ console: pairs }, null, 2)
}
