import { randomBytes, randomUUID } from 'node:crypto'
import { reason } from '@stowage/contract'
import { createMadmin, MadminError } from '@stowage/madmin'
import type { SessionPayload } from '../../../lib/session/session-payload.ts'
import { detectServer } from './detect-capabilities.ts'
import { type SignInContext, signInRefused, upstreamConnection } from './sign-in-with-keys.ts'

/**
 * Starts a session with temporary keys that were issued elsewhere. Signing out does not revoke them.
 * @throws HttpError 401 if the server does not accept them
 */
export async function signInWithTemporaryKeys(
  credentials: { accessKey: string; secretKey: string; sessionToken: string },
  { config, upstream }: SignInContext,
  signal: AbortSignal,
): Promise<SessionPayload> {
  // They cannot be sent in a header, so no server can have issued them.
  if (![credentials.accessKey, credentials.sessionToken].every((text) => /^[\x21-\x7e]+$/.test(text))) {
    throw signInRefused(reason('wrong-temporary-keys'))
  }
  const connection = { ...upstreamConnection(upstream), credentials, region: config.region }
  const info = await createMadmin(connection)
    .accountInfo({ signal, buckets: false })
    .catch((error: unknown) => {
      if (!(error instanceof MadminError) || error.status >= 500) throw error
      throw signInRefused(reason('wrong-temporary-keys'), error)
    })
  const latest = Date.now() + config.sessionSeconds * 1000
  return {
    v: 1,
    kind: 'sts',
    id: randomUUID(),
    user: info.name || credentials.accessKey,
    ...credentials,
    // A new type that matches nothing: these keys were not issued to this console.
    revokeType: randomBytes(12).toString('hex'),
    expires: Math.min(latest, sessionTokenExpiry(credentials.sessionToken) ?? latest),
    region: config.region,
    ...(await detectServer(connection, signal)),
  }
}

/**
 * Returns when a token expires, in ms since 1970. The storage server enforces it; here it only determines when the page ends
 * the session.
 */
export function sessionTokenExpiry(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    const exp = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : undefined
  } catch {
    // Not every server of this family issues readable tokens.
    return undefined
  }
}
