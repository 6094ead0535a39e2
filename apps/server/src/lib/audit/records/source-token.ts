import { createHmac, timingSafeEqual } from 'node:crypto'

/*
 * Creates and checks the token with which a storage server posts its audit records. It names its source and is signed, so that
 * nothing need be stored and every console with the same secret accepts it.
 */

function signSourceName(secret: string, name: string): Buffer {
  return createHmac('sha256', secret).update(`stowage audit source\0${name}`).digest()
}

export function createSourceToken(secrets: readonly [string, ...string[]], source: string): string {
  const name = Buffer.from(source).toString('base64url')
  return `${name}.${signSourceName(secrets[0], name).toString('base64url')}`
}

/** Returns the source of a token; undefined if `createSourceToken` did not create it. Compares in constant time. */
export function readSourceToken(secrets: readonly string[], token: string): string | undefined {
  const [name = '', signature = ''] = token.split('.', 2)
  const given = Buffer.from(signature, 'base64url')
  const fits = secrets.map((secret) => {
    const wanted = signSourceName(secret, name)
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  })
  return fits.includes(true) ? Buffer.from(name, 'base64url').toString() : undefined
}
