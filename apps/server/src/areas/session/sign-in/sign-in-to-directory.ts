import { randomBytes, randomUUID } from 'node:crypto'
import { reason } from '@stowage/contract'
import { assumeRoleWithLdapIdentity, StsError } from '@stowage/madmin'
import type { SessionPayload } from '../../../lib/session/session-payload.ts'
import { detectServer } from './detect-capabilities.ts'
import { type SignInContext, signInRefused, upstreamConnection } from './sign-in-with-keys.ts'

/**
 * Exchanges the password of a user of the storage server's directory for temporary credentials. It is used for nothing else:
 * sent as a secret key, it would be compared with those of users with the same name.
 * @throws HttpError 401 if the directory does not accept it, or the user has no policy
 */
export async function signInToDirectory(
  { accessKey: username, secretKey: password }: { accessKey: string; secretKey: string },
  { config, upstream }: SignInContext,
  signal: AbortSignal,
): Promise<SessionPayload> {
  const revokeType = randomBytes(12).toString('hex')
  const request = { username, password, durationSeconds: config.sessionSeconds, tokenRevokeType: revokeType, signal }
  const given = await assumeRoleWithLdapIdentity(upstreamConnection(upstream), request).catch((error: unknown) => {
    if (!(error instanceof StsError) || error.status >= 500) throw error
    // Only callers with the right password learn that a policy is missing.
    const detail = /polic/i.test(error.message)
      ? error.message
      : reason(/not configured/i.test(error.message) ? 'no-directory' : 'wrong-directory-password')
    throw signInRefused(detail, error)
  })
  return {
    v: 1,
    kind: 'sts',
    id: randomUUID(),
    user: username,
    idp: 'ldap',
    ...given.credentials,
    revokeType,
    expires: given.expiration.getTime(),
    region: config.region,
    ...(await detectServer({ ...upstreamConnection(upstream), credentials: given.credentials }, signal)),
  }
}
