import type { Endpoint } from '@stowage/contract'
import type { Egress } from '@stowage/egress'
import type { FastifyRequest } from 'fastify'
import type { AuditKeeper, AuditSource } from './lib/audit/search/audit-source.ts'
import type { OpenSockets } from './lib/http/limits/open-sockets.ts'
import type { KubeClients } from './lib/kube/kube-clients.ts'
import type { AnySession } from './lib/session/session-payload.ts'
import type { StorageClients } from './lib/storage/storage-clients.ts'
import type { ParserThreads } from './lib/threads/parser-threads.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns clients that act as the caller of a request. @param signal aborts their calls */
    storageClients(request: FastifyRequest, signal?: AbortSignal): StorageClients
    /** Returns the cluster with the rights of the caller of a request; only in operator mode. */
    kubeClients(request: FastifyRequest): KubeClients
    /** Returns the session of a request. @throws HttpError 401 */
    requireSession(request: FastifyRequest): AnySession
    /** Whether a request has a session that this console sealed, valid or expired. */
    knowsCaller(request: FastifyRequest): boolean
    /** Returns the first of these actions that the caller's policy no longer allows. @throws errors of the clients */
    lostRight(clients: StorageClients, actions: readonly string[]): Promise<string | undefined>
    /** Audit records sent by storage servers. */
    readonly audit: AuditKeeper
    /** Where audit records are searched: those, or a log search service. */
    readonly auditSource: AuditSource
    /** The live connections of this console. */
    readonly openSockets: OpenSockets
    /** Worker threads for parsers of what callers send. */
    readonly parserThreads: ParserThreads
    /** Connections to addresses that a user entered, such as that of a webhook. */
    readonly egress: Egress
    /** Whether it manages a storage server, or the tenants of a cluster. */
    readonly mode: 'storage' | 'operator'
    /** The storage server; absent in operator mode. */
    readonly storeUrl: URL
    /**
     * The storage server's address in links for others. It is never taken from a request, whose sender could then choose where
     * links lead.
     */
    readonly publicStoreUrl: URL
    /** Whether answers are checked against the contract. */
    readonly checkAnswers: boolean
  }
  interface FastifyRequest {
    /** Set before the handler of a call that needs a session. */
    session: AnySession | undefined
    /** What a change replaces, for its audit record. */
    stateBefore: unknown
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
    /** A health check, which is called every few seconds. */
    probe?: boolean
  }
}
