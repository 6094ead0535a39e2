import { setTimeout as delay } from 'node:timers/promises'
import { reason } from '@stowage/contract'
import { sessionCalls } from '@stowage/contract/session/session'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/http/errors.ts'
import { serve } from '../../lib/http/serve.ts'
import { VERSION } from '../../lib/program/paths.ts'
import { Limiter } from './limiter.ts'
import { type SignInTo, signIn, signInRefused } from './login.ts'
import { pagesOf } from './pages.ts'
import { callerFromAccountInfo, permissionsOf, policyDialectOf } from './permissions.ts'
import { isBrowser, type Sessions } from './sessions.ts'

/** Guesses that are free: fewer for one key, more for one address, behind which a whole office may sit. */
const PER_KEY = { free: 5, maxWaitMs: 60_000, forgetMs: 15 * 60_000 }
const PER_ADDRESS = { free: 20, maxWaitMs: 300_000, forgetMs: 15 * 60_000 }

/** So long a logout waits for the storage server to revoke the session (ms). */
const REVOKE_MS = 1000

const isWrongGuess = (error: unknown) => error instanceof HttpError && error.status === 401

export function sessionRoutes(app: FastifyInstance, { sessions, ...to }: SignInTo & { sessions: Sessions }): void {
  const byKey = new Limiter(PER_KEY)
  const byAddress = new Limiter(PER_ADDRESS)

  serve(app, sessionCalls.getLoginStrategy, async () => {
    return { loginStrategy: 'form' as const, redirect: '', server: app.storeUrl.host }
  })

  serve(app, sessionCalls.login, async ({ body }, { request, reply, signal }) => {
    const attempt = () => signIn(body, { ...to, upstream: to.upstream.forCaller(request.ip) }, signal)
    const ofAddress = () => byAddress.run(request.ip, isWrongGuess, attempt)
    const session = await byKey.run(body.accessKey, isWrongGuess, ofAddress)
    byKey.succeeded(body.accessKey)
    const sealed = sessions.seal(session)
    sessions.keep(request, reply, session, sealed)
    return { sessionId: isBrowser(request) ? session.id : sealed }
  })

  serve(app, sessionCalls.loginOperator, async () => {
    throw signInRefused(reason('not-operator-mode'))
  })

  serve(app, sessionCalls.logout, async (_input, { request, reply, session, detached, log }) => {
    sessions.revoked.add(session.id, session.expires)
    sessions.drop(request, reply)
    if (!session.capabilities.includes('revoke-tokens')) return
    // Detached: a browser that closes while it signs out is signed out.
    const revoked = detached()
      .madmin.revokeTokens({ tokenRevokeType: session.revokeType })
      .catch((error: unknown) => {
        log.warn({ err: error }, 'the storage server did not revoke a session')
      })
    // Here the session has ended already. A storage server that hangs must not keep the caller from the answer, which
    // takes the cookie away.
    await Promise.race([revoked, delay(REVOKE_MS, undefined, { ref: false })])
  })

  serve(app, sessionCalls.getSession, async (_input, { session, madmin }) => {
    const info = await madmin.accountInfo()
    return {
      status: 'ok' as const,
      pages: pagesOf(callerFromAccountInfo(info.policy, policyDialectOf(session.capabilities)).access),
      features: [],
      operator: false,
      distributedMode: session.distributed,
      user: session.user,
      server: app.storeUrl.host,
      endpoint: app.storeUrl.origin,
      version: VERSION,
      expires: new Date(session.expires).toISOString(),
      capabilities: session.capabilities,
    }
  })

  serve(app, sessionCalls.hasPermission, async ({ body }, { session, madmin }) => {
    const { policy } = await madmin.accountInfo()
    const caller = callerFromAccountInfo(policy, policyDialectOf(session.capabilities))
    return { permissions: permissionsOf(caller, body) }
  })
}
