import { sessionCalls } from '@stowage/contract/session/session'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { OpenSockets } from '../../../lib/http/limits/open-sockets.ts'
import type { AnySession } from '../../../lib/session/session-payload.ts'
import type { SessionRenewals } from './session-renewals.ts'
import { isBrowserRequest, type SessionByKind, type Sessions } from './sessions.ts'

/**
 * Gives requests their session, which is read once, and the app its open sockets.
 * @param read reads the session of a request; throws HttpError 401
 * @returns the same with the session kept in the request
 */
export function addSessions<K extends AnySession['kind']>(
  app: FastifyInstance,
  sessions: Sessions<K>,
  read: (request: FastifyRequest) => SessionByKind<K> = (request) => sessions.read(request),
): (request: FastifyRequest) => SessionByKind<K> {
  app.decorateRequest('session', undefined)
  const requireSession = (request: FastifyRequest) => {
    request.session ??= read(request)
    return request.session as SessionByKind<K>
  }
  app.decorate('requireSession', requireSession)
  app.decorate('knowsCaller', (request) => sessions.hasSession(request))
  app.decorate('openSockets', new OpenSockets())
  app.addHook('onSend', async (request, reply) => {
    const isLogout = request.routeOptions.config.endpoint === sessionCalls.logout.endpoint
    // A page of another site signs nobody out.
    if (!isLogout || reply.statusCode === 403 || reply.hasHeader('set-cookie')) return
    // The call failed: whoever signs out must not stay signed in.
    if (request.session) sessions.revoked.add(request.session.id, request.session.expires)
    sessions.deleteCookies(request, reply)
  })
  return requireSession
}

/**
 * Renews the session of each request that needs one, and gives browsers the new cookie. Call it after `addCommonPlugins`, so that a
 * refusal has the headers of every answer.
 */
export function renewSessions<K extends AnySession['kind']>(
  app: FastifyInstance,
  sessions: Sessions<K>,
  renewals: SessionRenewals<SessionByKind<K>>,
  requireSession: (request: FastifyRequest) => SessionByKind<K>,
): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.endpoint?.access !== 'session') return
    const sent = requireSession(request)
    const current = await renewals.current(sent)
    request.session = current
    if (current !== sent && isBrowserRequest(request))
      sessions.writeCookies(request, reply, current, sessions.seal(current))
  })
}
