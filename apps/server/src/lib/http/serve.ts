import { setMaxListeners } from 'node:events'
import type { Readable } from 'node:stream'
import { type Endpoint, formatSize, reason } from '@stowage/contract'
import type { Route } from '@stowage/contract/call/route'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { HttpError } from '../errors/http-errors.ts'
import type {
  CallContext,
  CallHandler,
  HandlerAnswer,
  HandlerContext,
  HandlerResult,
  OperatorContext,
  ParsedInput,
} from './handler.ts'
import { PreparedAnswer } from './prepared-answer.ts'
import { serveSocket } from './serve-socket.ts'
import { parseRequestPart, refuseContradiction } from './validation.ts'

export type { CallHandler, SessionContext } from './handler.ts'

/** Maximum size of a body in bytes. The longest selection of objects fits. */
const LIMITS: Readonly<Record<Endpoint['body'], number>> = {
  none: 1 << 20,
  json: 1 << 20,
  form: 64 << 20,
  // Streamed; their handlers limit the size.
  multipart: Number.MAX_SAFE_INTEGER,
  bytes: Number.MAX_SAFE_INTEGER,
}

/** Registers a call of the contract: path and aliases, validation by its schemas, sign-in, and the status of its answer. */
export function serve<R extends Route>(
  app: FastifyInstance,
  route: R,
  handler: CallHandler<R>,
  bodyLimit?: number,
): void {
  if (route.endpoint.answer === 'socket') {
    serveSocket(app, route, handler)
    return
  }
  const extendContext = (context: CallContext) => {
    if (route.endpoint.access !== 'session') return context
    const { request, signal } = context
    return {
      ...context,
      ...app.storageClients(request, signal),
      detached: () => app.storageClients(request),
      noteBefore: async (read: () => unknown) => await noteBefore(request, read),
    }
  }
  register(app, route, (input, context) => handler(input, extendContext(context) as HandlerContext<R>), bodyLimit)
}

/** The same for a call in operator mode, whose caller has a session of the cluster. */
export function serveOperator<R extends Route>(
  app: FastifyInstance,
  route: R,
  handler: (input: ParsedInput<R>, context: OperatorContext) => HandlerResult<HandlerAnswer<R>>,
  bodyLimit?: number,
): void {
  const extendContext = (context: CallContext) => ({ ...context, ...app.kubeClients(context.request) })
  register(app, route, (input, context) => handler(input, extendContext(context)), bodyLimit)
}

function register<R extends Route>(
  app: FastifyInstance,
  route: R,
  handler: (input: ParsedInput<R>, context: CallContext) => HandlerResult<HandlerAnswer<R>>,
  bodyLimit?: number,
): void {
  const { endpoint } = route
  const limit = bodyLimit ?? LIMITS[endpoint.body]
  const options: Omit<RouteOptions, 'url'> = {
    method: endpoint.method,
    bodyLimit: limit,
    // Streams are not compressed, because that would hide the progress and delay lines.
    ...(endpoint.answer === 'stream' || endpoint.answer === 'lines' ? { compress: false } : {}),
    config: { endpoint },
    // Before the body is read, so that callers without a session cannot send one.
    onRequest: async (request) => {
      if (endpoint.access === 'session') app.requireSession(request)
      refuseTooLarge(request, limit)
    },
    handler: async (request, reply) => {
      const [params, query] = [request.params as Record<string, unknown>, request.query as Record<string, unknown>]
      refuseContradiction(request.body, params, query, route.repeats)
      const input = {
        params: parseRequestPart(route.params, 'path', params),
        query: parseRequestPart(route.query, 'query', query),
        body: hasParsedBody(endpoint) ? parseRequestPart(route.body, 'body', request.body) : undefined,
      } as ParsedInput<R>
      const signal = disconnectSignal(reply)
      const answer = await handler(input, { request, reply, log: request.log, signal })
      if (reply.sent || answer === reply) return reply
      const value: unknown = answer instanceof PreparedAnswer && app.checkAnswers ? answer.value : answer
      if (app.checkAnswers && endpoint.answer === 'json' && !isStream(value)) route.response.parse(value)
      reply.code(endpoint.status)
      if (answer instanceof PreparedAnswer) return await answer.send(request, reply)
      if (endpoint.answer === 'empty') return reply.send()
      // Fastify would send a string unchanged.
      const isText = endpoint.answer === 'json' && typeof answer === 'string'
      return isText ? reply.type('application/json; charset=utf-8').send(JSON.stringify(answer)) : reply.send(answer)
    },
  }
  // Routes with streamed bodies get a separate scope, in which no parser reads the body before the handler.
  const addTo = (scope: FastifyInstance) => {
    for (const url of [endpoint.path, ...endpoint.aliases]) scope.route({ ...options, url })
  }
  if (endpoint.body === 'bytes' || endpoint.body === 'multipart') {
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
      addTo(scope)
    })
  } else {
    addTo(app)
  }
}

async function noteBefore(request: FastifyRequest, read: () => unknown): Promise<void> {
  try {
    request.stateBefore = await read()
  } catch (error) {
    // It does not exist yet, or may not be read. If the storage server fails, the change itself reports that.
    request.log.debug({ err: error }, 'no state before the change')
  }
}

/** Fastify would close the connection, and a caller that is still sending could not read the error. */
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

function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  // One listener per call to abort: listing buckets, for instance, makes one call per bucket at the same time.
  setMaxListeners(0, controller.signal)
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}
