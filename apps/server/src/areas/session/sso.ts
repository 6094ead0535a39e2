import { randomBytes, randomUUID } from 'node:crypto'
import { reason } from '@stowage/contract'
import { sessionCalls } from '@stowage/contract/session/session'
import { assumeRoleWithWebIdentity, StsError } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import type { SsoProvider } from '../../lib/config/sso-providers.ts'
import { HttpError } from '../../lib/http/errors.ts'
import { serve } from '../../lib/http/serve.ts'
import type { SessionPayload } from '../../lib/session/payload.ts'
import type { SignInAttempts } from './attempts.ts'
import { detect } from './capabilities.ts'
import { connectionOf, type SignInTo } from './login.ts'
import { addCookie, OidcSignIns, type ProviderTokens } from './oidc.ts'

export interface SsoParts {
  providers: readonly SsoProvider[]
  secrets: readonly [string, ...string[]]
}

/** Sign-in at OpenID providers: the storage server's STS exchanges the ID token for credentials. */
export function ssoRoutes(app: FastifyInstance, attempts: SignInAttempts, parts: SsoParts): void {
  const signIns = new OidcSignIns({ ...parts, sessions: attempts.sessions, egress: app.egress })

  serve(app, sessionCalls.startSignIn, ({ params }, { request, reply }) =>
    signIns.start(request, reply, params.provider),
  )

  serve(app, sessionCalls.loginOauth2, async ({ body }, { request, reply, signal }) => {
    const { provider, used, redeem } = signIns.returned(request, body)
    const session = await attempts.run(request, `${provider.id} (single sign-on)`, signal, async (to) => {
      return await openSession(await redeem(), provider, to, signal)
    })
    const answer = attempts.start(request, reply, session)
    addCookie(reply, used)
    return answer
  })
}

async function openSession(
  { idToken, claims }: ProviderTokens,
  { id, seconds, roleArn }: SsoProvider,
  { config, upstream }: SignInTo,
  signal: AbortSignal,
): Promise<SessionPayload> {
  const revokeType = randomBytes(12).toString('hex')
  const request = { token: idToken, roleArn, durationSeconds: seconds, tokenRevokeType: revokeType, signal }
  const given = await assumeRoleWithWebIdentity(connectionOf(upstream), request).catch((error: unknown) => {
    if (!(error instanceof StsError) || error.status >= 500) throw error
    throw new HttpError(401, reason('sign-in-refused'), { detail: error.message, cause: error })
  })
  const user = [claims.preferred_username, claims.email, claims.sub].find((name) => typeof name === 'string')
  return {
    v: 1,
    kind: 'sts',
    id: randomUUID(),
    user: String(user).slice(0, 256),
    idp: id,
    ...given.credentials,
    revokeType,
    expires: given.expiration.getTime(),
    region: config.region,
    ...(await detect({ ...connectionOf(upstream), credentials: given.credentials }, signal)),
  }
}
