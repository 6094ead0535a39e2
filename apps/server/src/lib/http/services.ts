import type { Endpoint } from '@stowage/contract'
import type { Egress } from '@stowage/egress'
import type { FastifyRequest } from 'fastify'
import type { SessionPayload } from '../session/payload.ts'
import type { Clients } from '../storage/clients.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Clients that act as the caller of a request. @param signal ends their calls */
    clientsOf(request: FastifyRequest, signal?: AbortSignal): Clients
    /** The session of a request. @throws HttpError 401 */
    sessionOf(request: FastifyRequest): SessionPayload
    /** Whether a request carries a session that this console has sealed, ended or not. */
    knowsCaller(request: FastifyRequest): boolean
    /** The way to every address that a person typed, such as that of a webhook. */
    readonly egress: Egress
    /** The storage server. */
    readonly storeUrl: URL
    /** Whether answers are checked against the contract. */
    readonly checkAnswers: boolean
  }
  interface FastifyRequest {
    /** Set before the handler of a call for signed-in callers runs. */
    session: SessionPayload | undefined
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
    /** Asked every few seconds by what watches the process. */
    probe?: boolean
  }
}
