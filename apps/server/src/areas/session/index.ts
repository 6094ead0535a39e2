import { setTimeout as delay } from 'node:timers/promises'
import { type Input, reason } from '@stowage/contract'
import { sessionCalls } from '@stowage/contract/session/session'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addressGroup } from '../../lib/http/address-group.ts'
import { HttpError } from '../../lib/http/errors.ts'
import { type Handler, serve } from '../../lib/http/serve.ts'
import { VERSION } from '../../lib/program/paths.ts'
import { hasSignedIn, type KnownDevices } from './known-devices.ts'
import { Limiter } from './limiter.ts'
import { type SignInTo, signIn, signInRefused } from './login.ts'
import { pagesOf } from './pages.ts'
import { callerFromAccountInfo, permissionsOf, policyDialectOf } from './permissions.ts'
import { isBrowser, type Sessions } from './sessions.ts'
import { Turns } from './turns.ts'

/** Wrong guesses with one access key from one place. */
const GUESSES = { free: 5, maxWaitMs: 300_000, forgetMs: 30 * 60_000 }
/** Sign-ins under way: each is three requests to the storage server, whose connections everybody shares. */
const SIGN_INS = { atOnce: 64, each: 16, waiting: 1_000, waitingEach: 100 }
/**
 * A wrong guess is answered after a whole number of these (ms): how soon the storage server refuses must not tell whether
 * it knows the key.
 */
const REFUSAL_MS = 100
/** Bytes of a body: the longest keys, each character written as `\u0041`; the longest token. */
const FORM_BYTES = 16 << 10
const TOKEN_BYTES = 80 << 10

/** So long a logout waits for the storage server to revoke the session (ms). */
const REVOKE_MS = 1000

const isWrongGuess = (error: unknown) => error instanceof HttpError && error.status === 401

export interface SessionParts extends SignInTo {
  sessions: Sessions
  devices: KnownDevices
}

export function sessionRoutes(app: FastifyInstance, { sessions, devices, ...to }: SessionParts): void {
  const limiter = new Limiter(GUESSES)
  const turns = new Turns(SIGN_INS)

  serve(app, sessionCalls.getLoginStrategy, async () => {
    return { loginStrategy: 'form' as const, redirect: '', server: app.storeUrl.host }
  })

  const signInOf = async (request: FastifyRequest, body: Input<'login'>['body'], signal: AbortSignal) => {
    const begun = performance.now()
    try {
      return await signIn(body, { ...to, upstream: to.upstream.forCaller(request.ip) }, signal)
    } catch (error) {
      if (isWrongGuess(error)) await delay(REFUSAL_MS - ((performance.now() - begun) % REFUSAL_MS))
      throw error
    }
  }

  const login: Handler<typeof sessionCalls.login> = async ({ body }, { request, reply, signal }) => {
    const key = body.accessKey
    const device = devices.of(request)
    const from = device && hasSignedIn(device, key) ? device.id : addressGroup(request.ip)
    const attempt = () => turns.run(from, () => signInOf(request, body, signal))
    // Who leaves before the answer has learned something by it: a right guess is answered sooner than a wrong one.
    const isFailure = (error: unknown) => signal.aborted || isWrongGuess(error)
    const session = await limiter.run({ key, from }, isFailure, attempt)
    const sealed = sessions.seal(session)
    sessions.keep(request, reply, session, sealed)
    devices.remember(request, reply, key, device)
    return { sessionId: isBrowser(request) ? session.id : sealed }
  }
  serve(app, sessionCalls.login, login, FORM_BYTES)

  const refuseOperator = async () => {
    throw signInRefused(reason('not-operator-mode'))
  }
  serve(app, sessionCalls.loginOperator, refuseOperator, TOKEN_BYTES)

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

  serve(app, sessionCalls.hasPermission, async ({ body }, { session, madmin, signal }) => {
    const { policy } = await madmin.accountInfo()
    const caller = callerFromAccountInfo(policy, policyDialectOf(session.capabilities))
    return { permissions: await permissionsOf(caller, body, signal) }
  })
}
