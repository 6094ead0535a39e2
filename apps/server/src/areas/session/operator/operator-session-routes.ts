import { randomUUID } from 'node:crypto'
import { reason, type SessionPage } from '@stowage/contract'
import { sessionCalls } from '@stowage/contract/session/session'
import { type Cluster, KubeError } from '@stowage/kube'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { addressGroup } from '../../../lib/http/limits/address-group.ts'
import { serve, serveOperator } from '../../../lib/http/serve.ts'
import { CONSOLE_VERSION } from '../../../lib/program/program-paths.ts'
import type { KubeSession, SessionRenewal } from '../../../lib/session/session-payload.ts'
import { isBrowserRequest, type Sessions } from '../sealed-sessions/sessions.ts'
import { SignInQueue } from '../sign-in/sign-in-queue.ts'
import { addCookie, type OidcSignIns, providerRedirects } from '../sso/oidc-sign-ins.ts'
import { tokenExpiry } from './token-expiry.ts'

/** Maximum size of a body with a token (bytes). */
const TOKEN_BYTES = 80 << 10

const TENANT = '/namespaces/:tenantNamespace/tenants/:tenantName'

/** Pages of every session, as in the original: the cluster decides what a user may do on them. */
const PAGES: readonly SessionPage[] = [
  '/tenants',
  '/tenants/add',
  '/tenants/add/*',
  TENANT,
  `${TENANT}/hop`,
  `${TENANT}/summary`,
  `${TENANT}/metrics`,
  `${TENANT}/pods`,
  `${TENANT}/pods/:podName`,
  `${TENANT}/pools`,
  `${TENANT}/volumes`,
  `${TENANT}/license`,
  `${TENANT}/security`,
  '/storage',
  '/storage/volumes',
  '/storage/drives',
  '/license',
]

export interface OperatorSessionParts {
  cluster: Cluster
  sessions: Sessions<'kube'>
  sessionSeconds: number
  signIns: OidcSignIns
}

export function operatorSessionRoutes(
  app: FastifyInstance,
  { cluster, sessions, sessionSeconds, signIns }: OperatorSessionParts,
) {
  const queue = new SignInQueue()
  const server = new URL(cluster.server).host

  serve(app, sessionCalls.getLoginStrategy, async (_input, { request }) => {
    const providers = providerRedirects(signIns.providers, request)
    const loginStrategy = providers.redirect === '' ? ('service-account' as const) : ('redirect' as const)
    return { loginStrategy, ...providers, operator: true, server }
  })

  const start = (request: FastifyRequest, reply: FastifyReply, session: KubeSession) => {
    const sealed = sessions.seal(session)
    sessions.writeCookies(request, reply, session, sealed)
    return { sessionId: isBrowserRequest(request) ? session.id : sealed }
  }

  serve(app, sessionCalls.login, async () => {
    throw signInError('operator-mode')
  })

  serve(
    app,
    sessionCalls.loginOperator,
    async ({ body }, { request, reply, signal }) => {
      const session = await queue.run(addressGroup(request.ip), () =>
        signInWithToken(cluster, body.jwt.trim(), sessionSeconds, signal),
      )
      return start(request, reply, session)
    },
    TOKEN_BYTES,
  )

  serve(app, sessionCalls.startSignIn, ({ params }, { request, reply }) =>
    signIns.start(request, reply, params.provider),
  )

  serve(app, sessionCalls.loginOauth2, async ({ body }, { request, reply, signal }) => {
    const { provider, used, redeem } = signIns.findSignIn(request, body)
    const session = await queue.run(addressGroup(request.ip), async () => {
      const { idToken, refreshToken } = await redeem()
      const signedIn = { ...(await signInWithToken(cluster, idToken, sessionSeconds, signal)), idp: provider.id }
      return refreshToken === undefined ? signedIn : withRenewal(signedIn, provider.id, refreshToken, sessionSeconds)
    })
    const answer = start(request, reply, session)
    addCookie(reply, used)
    return answer
  })

  serveOperator(app, sessionCalls.logout, async (_input, { request, reply, session }) => {
    sessions.revoked.add(session.id, session.expires)
    sessions.deleteCookies(request, reply)
    return { redirect: await signIns.logoutAddress(session.idp ?? session.renewal?.provider) }
  })

  serveOperator(app, sessionCalls.getSession, async (_input, { session }) => ({
    status: 'ok' as const,
    pages: [...PAGES],
    features: [],
    operator: true,
    distributedMode: false,
    user: session.user,
    server,
    version: CONSOLE_VERSION,
    expires: new Date(session.expires).toISOString(),
    capabilities: [],
  }))

  // IAM actions belong to storage servers; in operator mode no action is allowed.
  serveOperator(app, sessionCalls.hasPermission, async ({ body }) => ({
    permissions: body.actions.map(({ id }) => ({ id, can: false, sure: true })),
  }))
}

async function signInWithToken(
  cluster: Cluster,
  token: string,
  seconds: number,
  signal: AbortSignal,
): Promise<KubeSession> {
  // A token that cannot be sent in a header is not valid on any API server.
  if (!/^[\x21-\x7e]+$/.test(token)) throw signInError('token-refused')
  const limit = Date.now() + seconds * 1000
  const expires = Math.min(limit, tokenExpiry(token) ?? limit)
  if (expires <= Date.now()) throw signInError('token-ended')
  try {
    const { username } = await cluster.as(token).whoAmI({ signal })
    return { v: 1, kind: 'kube', id: randomUUID(), user: username ?? '', token, expires }
  } catch (error) {
    if (error instanceof KubeError && (error.status === 401 || error.status === 403))
      throw signInError('token-refused', error)
    throw error
  }
}

/** Returns a session that lasts longer than its token. */
function withRenewal(session: KubeSession, provider: string, refreshToken: string, seconds: number): KubeSession {
  const renewal = { provider, refreshToken, tokenExpires: session.expires }
  return { ...session, renewal, expires: Date.now() + seconds * 1000 }
}

/** The session with a new token. */
export async function renewToken(
  signIns: Pick<OidcSignIns, 'refresh'>,
  session: KubeSession,
  renewal: SessionRenewal,
): Promise<KubeSession> {
  const tokens = await signIns.refresh(renewal.provider, renewal.refreshToken)
  const { idToken, refreshToken = renewal.refreshToken } = tokens
  const tokenExpires = tokenExpiry(idToken) ?? session.expires
  return { ...session, token: idToken, renewal: { ...renewal, refreshToken, tokenExpires } }
}

function signInError(detail: 'operator-mode' | 'token-refused' | 'token-ended', cause?: unknown): HttpError {
  return new HttpError(401, reason('sign-in-refused'), { detail: reason(detail), cause })
}
