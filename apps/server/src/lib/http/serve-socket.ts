import { englishReason, LIVE_CLOSE, LIVE_PROTOCOL, reason } from '@stowage/contract'
import type { Route } from '@stowage/contract/call/route'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { z } from 'zod'
import { errorAnswer, HttpError } from '../errors/http-errors.ts'
import { findConnectionFailure } from '../errors/storage-errors.ts'
import type { KubeClients } from '../kube/kube-clients.ts'
import type { StorageClients } from '../storage/storage-clients.ts'
import type { CallHandler, OperatorSocketContext, ParsedInput } from './handler.ts'
import { LiveSocket } from './sockets/live-socket.ts'
import { parseRequestPart } from './validation.ts'

/** Interval at which the right to a stream is checked again (ms). */
const RECHECK_MS = 60_000

/** Creates the clients of a caller, and checks the caller's right. */
interface Access<Clients> {
  /** @param signal aborts their calls */
  clients(request: FastifyRequest, signal: AbortSignal): Clients
  /** Checks whether the caller may still read the stream. @throws HttpError; errors of the clients */
  check(clients: Clients): Promise<void>
}

type Message<R extends Route> = z.input<R['response']>

/** Registers a WebSocket call. Errors before the upgrade are answered with a status, errors after it with a close code. */
export function serveSocket<R extends Route>(app: FastifyInstance, route: R, handler: CallHandler<R>): void {
  const { actions } = route.endpoint
  const access = {
    clients: (request: FastifyRequest, signal: AbortSignal) => ({
      ...app.storageClients(request, signal),
      detached: () => app.storageClients(request),
    }),
    async check(clients: StorageClients) {
      const lost = await app.lostRight(clients, actions)
      if (lost !== undefined) throw new HttpError(403, reason('right-lost', { action: lost }))
    },
  }
  register(app, route, access, (input, context) => handler(input as never, context as never))
}

/** The same for a call in operator mode. */
export function serveOperatorSocket<R extends Route>(
  app: FastifyInstance,
  route: R,
  handler: (input: ParsedInput<R>, context: OperatorSocketContext<Message<R>>) => Promise<void>,
): void {
  const access = {
    clients: (request: FastifyRequest) => app.kubeClients(request),
    async check({ kube }: KubeClients) {
      await kube.whoAmI()
    },
  }
  register(app, route, access, handler)
}

type SocketHandler<R extends Route, C> = (
  input: ParsedInput<R>,
  context: C & { request: FastifyRequest; log: FastifyBaseLogger; signal: AbortSignal; live: LiveSocket<Message<R>> },
) => Promise<unknown>

function register<R extends Route, C extends object>(
  app: FastifyInstance,
  route: R,
  access: Access<C>,
  handler: SocketHandler<R, C>,
): void {
  const { endpoint } = route
  for (const url of [endpoint.path, ...endpoint.aliases]) {
    app.route({
      method: 'GET',
      url,
      exposeHeadRoute: false,
      config: { endpoint },
      onRequest: async (request, reply) => {
        const { id } = app.requireSession(request)
        if (!request.ws)
          throw new HttpError(426, reason('socket-expected'), {
            headers: { upgrade: 'websocket', connection: 'upgrade' },
          })
        app.openSockets.refuseTooMany(id)
        // For the request log: nothing else sets the status of an upgrade.
        reply.raw.statusCode = 101
      },
      handler: async () => {
        throw new HttpError(426, reason('socket-expected'))
      },
      wsHandler: (socket, request) => {
        void run(app, route, access, handler, socket, request)
      },
    })
  }
}

async function run<R extends Route, C extends object>(
  app: FastifyInstance,
  { endpoint, params, query }: R,
  access: Access<C>,
  handler: SocketHandler<R, C>,
  socket: WebSocket,
  request: FastifyRequest,
): Promise<void> {
  const session = app.requireSession(request)
  const live = new LiveSocket<Message<R>>(socket, socket.protocol === LIVE_PROTOCOL)
  const fail = (error: unknown) => closeFor(live, error, request, endpoint.actions, app.mode)
  const sessionOver = () => fail(new HttpError(401, reason('session-ended')))
  const leave = app.openSockets.enter({ session: session.id, end: sessionOver })
  // Timers in Node cannot exceed 2^31-1 ms.
  const expiry = setTimeout(sessionOver, Math.min(session.expires - Date.now(), 2 ** 31 - 1))
  const clients = access.clients(request, live.signal)
  const checkRight = async () => {
    try {
      await access.check(clients)
    } catch (error) {
      // While the server is unreachable, it is unknown whether the right was lost; the stream itself fails then.
      if (error instanceof HttpError || errorAnswer(error, request.id).status === 401) fail(error)
    }
  }
  const recheck = setInterval(() => void checkRight(), RECHECK_MS)
  live.signal.addEventListener('abort', () => {
    clearTimeout(expiry)
    clearInterval(recheck)
    leave()
  })
  try {
    const input = {
      params: parseRequestPart(params, 'path', request.params),
      query: parseRequestPart(query, 'query', request.query),
      body: undefined,
    }
    const context = { ...clients, request, log: request.log, signal: live.signal, live }
    await handler(input as ParsedInput<R>, context)
    if (!live.signal.aborted) live.close(LIVE_CLOSE.done)
  } catch (error) {
    // If the client has disconnected or already got a reason, later errors are consequences of that.
    if (!live.signal.aborted) fail(error)
  }
}

function closeFor(
  live: LiveSocket<unknown>,
  error: unknown,
  request: FastifyRequest,
  actions: readonly string[],
  mode: 'storage' | 'operator',
): void {
  const { status, body, unexpected } = errorAnswer(error, request.id, mode)
  if (unexpected) request.log.error({ err: error }, 'a live call failed unexpectedly')
  else if (status >= 500 && findConnectionFailure(error)) request.log.warn({ err: error }, 'a live call failed')
  const refused = status === 400 || status === 401 || status === 403
  const words = (body.reason && englishReason(body.reason)) ?? body.message
  // The action first, so that the limit of the frame does not cut it off.
  const text = status === 403 && body.reason?.id === 'access-denied' ? `${actions.join(', ')}: ${words}` : body.message
  live.close(refused ? LIVE_CLOSE.refused : LIVE_CLOSE.failed, text, { ...body, code: status })
}
