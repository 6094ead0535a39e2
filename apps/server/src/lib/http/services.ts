import type { Endpoint } from '@stowage/contract'
import type { Egress } from '@stowage/egress'
import type { FastifyRequest } from 'fastify'
import type { AuditStore } from '../audit/audit-store.ts'
import type { KubeClients } from '../kube/clients.ts'
import type { AnySession } from '../session/payload.ts'
import type { Clients } from '../storage/clients.ts'
import type { OpenSockets } from './open-sockets.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Clients that act as the caller of a request. @param signal ends their calls */
    clientsOf(request: FastifyRequest, signal?: AbortSignal): Clients
    /** The cluster as the caller of a request may use it; in operator mode alone. */
    kubeOf(request: FastifyRequest): KubeClients
    /** The session of a request. @throws HttpError 401 */
    sessionOf(request: FastifyRequest): AnySession
    /** Whether a request has a session that this console sealed, even one that has ended. */
    knowsCaller(request: FastifyRequest): boolean
    /** The first of these actions that the caller's policy no longer allows. @throws as the clients do */
    lostRight(clients: Clients, actions: readonly string[]): Promise<string | undefined>
    /** Audit records of storage servers that send theirs here. */
    readonly audit: AuditStore
    /** The live connections of this console. */
    readonly openSockets: OpenSockets
    /** Connections to addresses that a person typed, such as that of a webhook. */
    readonly egress: Egress
    /** Whether it manages a storage server, or the tenants of a cluster. */
    readonly mode: 'storage' | 'operator'
    /** The storage server; absent in operator mode. */
    readonly storeUrl: URL
    /** The storage server in links for others. Never taken from a request: its sender would choose where links lead. */
    readonly publicStoreUrl: URL
    /** Whether answers are checked against the contract. */
    readonly checkAnswers: boolean
  }
  interface FastifyRequest {
    /** Set before the handler of a call for signed-in callers runs. */
    session: AnySession | undefined
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
    /** A health check, which is called every few seconds. */
    probe?: boolean
  }
}
