import type { FastifyInstance, FastifyRequest } from 'fastify'
import { OpenSockets } from '../../lib/http/open-sockets.ts'
import type { AnySession } from '../../lib/session/payload.ts'
import type { Renewals } from './renewals.ts'
import { isBrowser, type SessionOf, type Sessions } from './sessions.ts'

/**
 * Gives requests their session, which is read once, and the app its open sockets.
 * @param read reads the session of a request; throws HttpError 401
 * @returns the same with the session kept in the request
 */
export function addSessions<K extends AnySession['kind']>(
  app: FastifyInstance,
  sessions: Sessions<K>,
  read: (request: FastifyRequest) => SessionOf<K> = (request) => sessions.of(request),
): (request: FastifyRequest) => SessionOf<K> {
  app.decorateRequest('session', undefined)
  const sessionOf = (request: FastifyRequest) => {
    request.session ??= read(request)
    return request.session as SessionOf<K>
  }
  app.decorate('sessionOf', sessionOf)
  app.decorate('knowsCaller', (request) => sessions.knows(request))
  app.decorate('openSockets', new OpenSockets())
  return sessionOf
}

/**
 * Renews the session of each request that needs one, and gives browsers the new cookie. Call it after `addShell`, so that a
 * refusal has the headers of every answer.
 */
export function renewSessions<K extends AnySession['kind']>(
  app: FastifyInstance,
  sessions: Sessions<K>,
  renewals: Renewals<SessionOf<K>>,
  sessionOf: (request: FastifyRequest) => SessionOf<K>,
): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.endpoint?.access !== 'session') return
    const sent = sessionOf(request)
    const current = await renewals.current(sent)
    request.session = current
    if (current !== sent && isBrowser(request)) sessions.keep(request, reply, current, sessions.seal(current))
  })
}
