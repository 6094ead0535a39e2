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

/** Returns a signed JWT (HS512), like the tokens of MinIO. */
export function signSessionToken(claims: SessionClaims, key: SessionKey): string {
  const content = `${tokenHeader(key)}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${content}.${createHmac('sha512', key.secret).update(content).digest('base64url')}`
}

/** Returns the claims of a token signed with this key, even if expired; undefined for other tokens. */
export function readSessionToken(token: string, key: SessionKey): SessionClaims | undefined {
  const [header, payload, signature, ...rest] = token.split('.')
  // The header is not read, so that nothing in it can choose how the token is checked.
  if (header !== tokenHeader(key) || payload === undefined || signature === undefined || rest.length > 0)
    return undefined
  const wanted = createHmac('sha512', key.secret).update(`${header}.${payload}`).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined
  // The signature is valid, so `signSessionToken` wrote it.
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as SessionClaims
}

const tokenHeader = ({ id }: SessionKey): string =>
  Buffer.from(JSON.stringify({ alg: 'HS512', typ: 'JWT', kid: id })).toString('base64url')
