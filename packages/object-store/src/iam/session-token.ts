import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SessionKey } from './session-keys.ts'

/** The claims of a session token. */
export interface SessionClaims {
  accessKey: string
  parent: string
  /** Seconds since 1970. */
  exp: number
  /** Base64 of the policy's JSON. */
  sessionPolicy?: string
  tokenRevokeType?: string
}

/** A JWT (HS512), the form of token that servers of this family hand out. */
export function signSessionToken(claims: SessionClaims, key: SessionKey): string {
  const content = `${headerOf(key)}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${content}.${createHmac('sha512', key.secret).update(content).digest('base64url')}`
}

/** The claims of a token that this key has signed, expired or not; otherwise undefined. */
export function readSessionToken(token: string, key: SessionKey): SessionClaims | undefined {
  const [header, payload, signature, ...rest] = token.split('.')
  // The header is not read, so that nothing in it can choose how the token is checked.
  if (header !== headerOf(key) || payload === undefined || signature === undefined || rest.length > 0) return undefined
  const wanted = createHmac('sha512', key.secret).update(`${header}.${payload}`).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined
  // Ours, since the signature is good: the shape is what `signSessionToken` wrote.
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as SessionClaims
}

const headerOf = ({ id }: SessionKey): string =>
  Buffer.from(JSON.stringify({ alg: 'HS512', typ: 'JWT', kid: id })).toString('base64url')
