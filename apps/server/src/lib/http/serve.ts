import { setMaxListeners } from 'node:events'
import type { Readable } from 'node:stream'
import { type Endpoint, formatSize, reason } from '@stowage/contract'
import type { Route } from '@stowage/contract/route'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { z } from 'zod'
import type { Clients } from '../storage/clients.ts'
import { HttpError } from './errors.ts'
import { parsePart, refuseContradiction } from './validation.ts'

/** What every handler gets beside the parsed request. */
interface Context {
  request: FastifyRequest
  reply: FastifyReply
  log: FastifyBaseLogger
  /** Aborts when the caller leaves before it has its answer. */
  signal: AbortSignal
}

/** What the handler of a call for signed-in callers gets: clients that act as the caller and end when it leaves. */
export interface SessionContext extends Context, Clients {
  /** Clients whose calls go on when the caller leaves: to undo what is half done, or to end a session. */
  detached(): Clients
}

interface Parsed<R extends Route> {
  params: z.output<R['params']>
  query: z.output<R['query']>
  body: z.output<R['body']>
}

type ContextOf<E extends Endpoint> = E['access'] extends 'session' ? SessionContext : Context
type AnswerOf<R extends Route> = R['endpoint']['answer'] extends 'json'
  ? z.input<R['response']> | Readable
  : R['endpoint']['answer'] extends 'empty'
    ? undefined
    : FastifyReply

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without an answer returns nothing
type Handled<T> = Promise<undefined extends T ? T | void : T>

export type Handler<R extends Route> = (input: Parsed<R>, context: ContextOf<R['endpoint']>) => Handled<AnswerOf<R>>

/** Bytes of a JSON body or of a form; the longest selection of objects fits. */
const LIMITS: Readonly<Record<Endpoint['body'], number>> = {
  none: 1 << 20,
  json: 1 << 20,
  form: 64 << 20,
  // Streams: their handlers count.
  multipart: Number.MAX_SAFE_INTEGER,
  bytes: Number.MAX_SAFE_INTEGER,
}

/** Registers a call of the contract: its path and aliases, parsing by its schemas, sign-in, and its answer's status. */
export function serve<R extends Route>(app: FastifyInstance, route: R, handler: Handler<R>, bodyLimit?: number): void {
  const { endpoint } = route
  const limit = bodyLimit ?? LIMITS[endpoint.body]
  const options: Omit<RouteOptions, 'url'> = {
    method: endpoint.method,
    bodyLimit: limit,
    // What streams is sent as it comes: compressing would hide how far it is and hold lines back.
    ...(endpoint.answer === 'stream' || endpoint.answer === 'lines' ? { compress: false } : {}),
    config: { endpoint },
    // Before the body is read: who is not signed in sends none.
    onRequest: async (request) => {
      if (endpoint.access === 'session') app.sessionOf(request)
      refuseTooLarge(request, limit)
    },
    handler: async (request, reply) => {
      const [params, query] = [request.params as Record<string, unknown>, request.query as Record<string, unknown>]
      refuseContradiction(request.body, params, query, route.repeats)
      const input = {
        params: parsePart(route.params, 'path', params),
        query: parsePart(route.query, 'query', query),
        body: hasParsedBody(endpoint) ? parsePart(route.body, 'body', request.body) : undefined,
      } as Parsed<R>
      const signal = signalOf(reply)
      const context: Context = { request, reply, log: request.log, signal }
      const forSession = (): SessionContext => ({
        ...context,
        ...app.clientsOf(request, signal),
        detached: () => app.clientsOf(request),
      })
      const full = endpoint.access === 'session' ? forSession() : context
      const answer = await handler(input, full as ContextOf<R['endpoint']>)
      if (reply.sent || answer === reply) return reply
      if (app.checkAnswers && endpoint.answer === 'json' && !isStream(answer)) route.response.parse(answer)
      reply.code(endpoint.status)
      return endpoint.answer === 'empty' ? reply.send() : reply.send(answer)
    },
  }
  // Streamed bodies get a scope of their own, in which nothing reads them before the handler does.
  const register = (scope: FastifyInstance) => {
    for (const url of [endpoint.path, ...endpoint.aliases]) scope.route({ ...options, url })
  }
  if (endpoint.body === 'bytes' || endpoint.body === 'multipart') {
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
      register(scope)
    })
  } else {
    register(app)
  }
}

/** Fastify would cut the connection, and a caller that is still sending would not get to read why. */
function refuseTooLarge(request: FastifyRequest, limit: number): void {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limit)
    throw new HttpError(413, reason('body-too-large', { size: formatSize(announced), limit: formatSize(limit) }))
}

function hasParsedBody(endpoint: Endpoint): boolean {
  return endpoint.body === 'json' || endpoint.body === 'form'
}

function isStream(answer: unknown): answer is Readable {
  return typeof answer === 'object' && answer !== null && 'pipe' in answer
}

function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  // As many as the calls that it has to end: of a list of buckets, for instance, one for each that is read at once.
  setMaxListeners(0, controller.signal)
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}
