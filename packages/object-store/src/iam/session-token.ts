import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a session token says. Signed with the secret of root, so that a change of it ends all sessions. */
export interface SessionClaims {
  accessKey: string
  parent: string
  /** Seconds since 1970. */
  exp: number
  /** Base64 of the policy's JSON. */
  sessionPolicy?: string
  tokenRevokeType?: string
}

const HEADER = Buffer.from('{"alg":"HS512","typ":"JWT"}').toString('base64url')

/** A JWT (HS512), the form of token that servers of this family hand out. */
export function signSessionToken(claims: SessionClaims, secret: string): string {
  const content = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${content}.${createHmac('sha512', secret).update(content).digest('base64url')}`
}

/** The claims of a token with a good signature, expired or not; otherwise undefined. */
export function readSessionToken(token: string, secret: string): SessionClaims | undefined {
  const [header, payload, signature, ...rest] = token.split('.')
  if (header !== HEADER || payload === undefined || signature === undefined || rest.length > 0) return undefined
  const wanted = createHmac('sha512', secret).update(`${header}.${payload}`).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined
  // Ours, since the signature is good: the shape is what `signSessionToken` wrote.
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as SessionClaims
}
