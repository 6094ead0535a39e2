import type { Readable } from 'node:stream'
import type { Route } from '@stowage/contract/route'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { KubeClients } from '../kube/clients.ts'
import type { Clients } from '../storage/clients.ts'
import type { LiveSocket } from './live-socket.ts'

/** What every handler gets in addition to the parsed request. */
export interface Context {
  request: FastifyRequest
  reply: FastifyReply
  log: FastifyBaseLogger
  /** Aborts when the caller leaves before it has its answer. */
  signal: AbortSignal
}

/** The context of a call that needs a session: clients that act as the caller and end when the caller leaves. */
export interface SessionContext extends Context, Clients {
  /** Clients whose calls continue when the caller leaves: to undo incomplete work, or to end a session. */
  detached(): Clients
}

/** What the handler of a call of operator mode gets: the cluster as the caller may use it. */
export interface OperatorContext extends Context, KubeClients {}

/** What the handler of a call that is a WebSocket gets. It sends by `live`; the connection closes when it returns or throws. */
export interface SocketContext<Message> extends Omit<SessionContext, 'reply'> {
  live: LiveSocket<Message>
}

/** The same in operator mode. */
export interface OperatorSocketContext<Message> extends Omit<OperatorContext, 'reply'> {
  live: LiveSocket<Message>
}

export interface Parsed<R extends Route> {
  params: z.output<R['params']>
  query: z.output<R['query']>
  body: z.output<R['body']>
}

export type ContextOf<R extends Route> = R['endpoint']['answer'] extends 'socket'
  ? SocketContext<z.input<R['response']>>
  : R['endpoint']['access'] extends 'session'
    ? SessionContext
    : Context
export type AnswerOf<R extends Route> = R['endpoint']['answer'] extends 'json'
  ? z.input<R['response']> | Readable
  : R['endpoint']['answer'] extends 'empty' | 'socket'
    ? undefined
    : FastifyReply

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without an answer returns nothing
export type Handled<T> = Promise<undefined extends T ? T | void : T>

export type Handler<R extends Route> = (input: Parsed<R>, context: ContextOf<R>) => Handled<AnswerOf<R>>
