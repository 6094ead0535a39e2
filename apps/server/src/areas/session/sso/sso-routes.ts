import { randomBytes, randomUUID } from 'node:crypto'
import { reason } from '@stowage/contract'
import { sessionCalls } from '@stowage/contract/session/session'
import { assumeRoleWithWebIdentity, StsError, type TemporaryCredentials } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import type { SsoProvider } from '../../../lib/config/sso-providers.ts'
import { serve } from '../../../lib/http/serve.ts'
import type { SessionPayload } from '../../../lib/session/session-payload.ts'
import { detectServer } from '../sign-in/detect-capabilities.ts'
import type { SignInAttempts } from '../sign-in/sign-in-attempts.ts'
import { type SignInContext, signInRefused, upstreamConnection } from '../sign-in/sign-in-with-keys.ts'
import { addCookie, type OidcSignIns, type ProviderTokens } from './oidc-sign-ins.ts'

/** Sign-in at OpenID providers: the storage server's STS gives credentials for the ID token. */
export function ssoRoutes(app: FastifyInstance, attempts: SignInAttempts, signIns: OidcSignIns): void {
  serve(app, sessionCalls.startSignIn, ({ params }, { request, reply }) =>
    signIns.start(request, reply, params.provider),
  )

  serve(app, sessionCalls.loginOauth2, async ({ body }, { request, reply, signal }) => {
    const { provider, used, redeem } = signIns.findSignIn(request, body)
    const session = await attempts.run(request, `${provider.id} (single sign-on)`, signal, async (to) => {
      return await createSsoSession(await redeem(), provider, to, signal)
    })
    const answer = attempts.start(request, reply, session)
    addCookie(reply, used)
    return answer
  })
}

async function createSsoSession(
  tokens: ProviderTokens,
  provider: SsoProvider,
  { config, upstream }: SignInContext,
  signal: AbortSignal,
): Promise<SessionPayload> {
  const revokeType = randomBytes(12).toString('hex')
  const given = await credentialsFor(tokens.idToken, provider, { upstream, revokeType, signal })
  const { claims, refreshToken } = tokens
  const user = [claims.preferred_username, claims.email, claims.sub].find((name) => typeof name === 'string')
  const tokenExpires = given.expiration.getTime()
  return {
    v: 1,
    kind: 'sts',
    id: randomUUID(),
    user: String(user).slice(0, 256),
    idp: provider.id,
    ...given.credentials,
    revokeType,
    expires: tokenExpires,
    ...(refreshToken === undefined
      ? {}
      : {
          expires: Math.max(tokenExpires, Date.now() + config.sessionSeconds * 1000),
          renewal: { provider: provider.id, refreshToken, tokenExpires },
          subject: claims.sub,
        }),
    region: config.region,
    ...(await detectServer({ ...upstreamConnection(upstream), credentials: given.credentials }, signal)),
  }
}

/**
 * The session with new credentials; the provider decides whether its user may go on.
 * @throws HttpError 401 when the provider or the storage server refuses, 502 when the provider does not answer
 */
export async function renewCredentials(
  signIns: OidcSignIns,
  session: SessionPayload,
  { upstream }: SignInContext,
): Promise<SessionPayload> {
  const { renewal, revokeType } = session
  const provider = signIns.providers.find(({ id }) => id === renewal?.provider)
  if (!renewal || !provider) throw signInRefused(reason('sso-refused'))
  const tokens = await signIns.refresh(provider.id, renewal.refreshToken)
  // OpenID Connect Core 12.2: the token of a refresh is of the same user.
  if (tokens.claims.sub !== session.subject) throw signInRefused(reason('sso-refused'))
  const given = await credentialsFor(tokens.idToken, provider, { upstream, revokeType })
  const { refreshToken = renewal.refreshToken } = tokens
  const tokenExpires = given.expiration.getTime()
  return { ...session, ...given.credentials, renewal: { ...renewal, refreshToken, tokenExpires } }
}

async function credentialsFor(
  token: string,
  { seconds, roleArn }: SsoProvider,
  { upstream, revokeType, signal }: Pick<SignInContext, 'upstream'> & { revokeType: string; signal?: AbortSignal },
): Promise<TemporaryCredentials> {
  const request = { token, roleArn, durationSeconds: seconds, tokenRevokeType: revokeType, signal }
  return await assumeRoleWithWebIdentity(upstreamConnection(upstream), request).catch((error: unknown) => {
    if (!(error instanceof StsError) || error.status >= 500) throw error
    throw signInRefused(error.message, error)
  })
}
