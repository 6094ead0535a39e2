import type { Readable } from 'node:stream'
import type { Route } from '@stowage/contract/call/route'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { KubeClients } from '../kube/kube-clients.ts'
import type { StorageClients } from '../storage/storage-clients.ts'
import type { PreparedAnswer } from './prepared-answer.ts'
import type { LiveSocket } from './sockets/live-socket.ts'

/** The context of every handler, in addition to the parsed request. */
export interface CallContext {
  request: FastifyRequest
  reply: FastifyReply
  log: FastifyBaseLogger
  /** Aborts if the caller disconnects before the answer is complete. */
  signal: AbortSignal
}

/** The context of a call that needs a session, with clients that act as the caller and abort if the caller disconnects. */
export interface SessionContext extends CallContext, StorageClients {
  /** Clients whose calls continue if the caller disconnects: to undo incomplete work, or to end a session. */
  detached(): StorageClients
  /**
   * Adds what this call changes to its audit record, if the caller has the right to read it, which the change does not need.
   * @param read returns it with the same members as the body, without secrets
   */
  noteBefore(read: () => unknown): Promise<void>
}

/** The context of a call in operator mode: the cluster with the caller's rights. */
export interface OperatorContext extends CallContext, KubeClients {}

/** The context of a WebSocket call. It sends messages with `live`; the connection closes when the handler returns or throws. */
export interface SocketContext<Message> extends Omit<SessionContext, 'reply' | 'noteBefore'> {
  live: LiveSocket<Message>
}

/** The same in operator mode. */
export interface OperatorSocketContext<Message> extends Omit<OperatorContext, 'reply'> {
  live: LiveSocket<Message>
}

export interface ParsedInput<R extends Route> {
  params: z.output<R['params']>
  query: z.output<R['query']>
  body: z.output<R['body']>
}

export type HandlerContext<R extends Route> = R['endpoint']['answer'] extends 'socket'
  ? SocketContext<z.input<R['response']>>
  : R['endpoint']['access'] extends 'session'
    ? SessionContext
    : CallContext
export type HandlerAnswer<R extends Route> = R['endpoint']['answer'] extends 'json'
  ? z.input<R['response']> | PreparedAnswer<z.input<R['response']>> | Readable
  : R['endpoint']['answer'] extends 'empty' | 'socket'
    ? undefined
    : FastifyReply

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without an answer returns nothing
export type HandlerResult<T> = Promise<undefined extends T ? T | void : T>

export type CallHandler<R extends Route> = (
  input: ParsedInput<R>,
  context: HandlerContext<R>,
) => HandlerResult<HandlerAnswer<R>>
