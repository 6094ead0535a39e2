import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { findRepeatedHeader } from '@stowage/sigv4'
import type { Logger } from 'pino'
import { type Dispatcher, upgrade as openUpgrade } from 'undici'
import { ConfigError, type ConsoleConfig } from '../../../lib/config/config.ts'
import { redactForLog } from '../../../lib/program/program-log.ts'
import {
  BUFFERED_BYTES,
  type ContentAnswer,
  requestContent,
  streamedContent,
} from '../../../lib/storage/direct-content.ts'
import { TIMEOUTS } from '../../../lib/storage/timeouts.ts'
import { readCookies, setCookie } from '../../session/sealed-sessions/cookies.ts'
import type { ConsoleGrant, ConsoleGrants } from './console-grants.ts'
import {
  answerHeaders,
  ForeignRedirect,
  requestHeaders,
  tenantContentPolicy,
  upgradeHeaders,
} from './console-headers.ts'

/** Bodies up to this size are kept, so that they can be sent again after a new sign-in (bytes). */
const REPLAYED = 64 << 10
/**
 * The calls of tenants' consoles whose answers can be large. They get a connection each, so that the bytes can be copied from
 * socket to socket; the others share connections.
 */
const DOWNLOADS = /^\/api\/v1\/(buckets\/[^/]+\/objects\/download|download-shared-object)\b/
const COOKIE = 'stowage-tenant'
/** The pattern of Kubernetes names; no other characters may get into a cookie's path. */
const PATH = /^(\/api\/proxy\/([a-z0-9][a-z0-9.-]*)\/([a-z0-9][a-z0-9.-]*)\/)([^?#]*)(\?[^#]*)?$/

export interface TenantConsoles {
  listen(host: string, port: number): Promise<void>
  /** The port it listens on; 0 before it listens. */
  port(): number
  close(): Promise<void>
}

/** An error page that is shown instead of the tenant's console. */
class PageError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

/**
 * Creates the server that shows tenants' own consoles, at a separate origin: content from a tenant runs in browsers, and at the
 * console's origin it could act as the operator. It only accepts its own sessions, for logins that the console has created.
 */
export function createTenantConsoles(
  grants: ConsoleGrants,
  { tls }: Pick<ConsoleConfig, 'tls'>,
  logger: Logger,
): TenantConsoles {
  const secure = tls !== undefined
  const server = tls
    ? createTlsServer({ cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) })
    : createServer()
  const sockets = new Set<Duplex>()

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const started = performance.now()
    response.on('close', () => {
      const ms = Math.round(performance.now() - started)
      const path = redactForLog((request.url ?? '').replace(/\?.*/, ''))
      logger.info({ status: response.statusCode, ms }, `tenant's console: ${request.method} ${path}`)
    })
    answer(request, response).catch((error: unknown) => sendRefusal(response, error))
  })
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    upgrade(request, socket, head).catch((error: unknown) => {
      const status = error instanceof PageError ? error.status : 502
      socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { base, rest, grant, ticket } = target(request)
    const { isShared } = grant.options
    if (ticket !== undefined) {
      response.writeHead(303, {
        location: base + rest,
        'set-cookie': setCookie(COOKIE, grant.id, {
          path: base,
          secure,
          maxAge: Math.max(0, Math.floor((grant.options.expires - Date.now()) / 1000)),
        }),
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'content-security-policy': tenantContentPolicy(grant.options),
        // What the previous tenant has stored in the browser.
        ...(isShared ? { 'clear-site-data': '"storage"' } : {}),
      })
      response.end()
      return
    }
    const left = new AbortController()
    response.on('close', () => left.abort())
    const signal = AbortSignal.any([left.signal, grant.signal])
    const path = `/${rest}`
    const content = await send(grant, request, path, signal)
    const { statusCode, headers } = content
    try {
      response.writeHead(statusCode, answerHeaders({ statusCode, headers, base, path }, grant.options))
    } catch (error) {
      content.body.on('error', () => {}).destroy()
      throw error
    }
    // When the caller disconnects or is signed out, the answer stays incomplete.
    await content.sendTo(response).catch(() => response.destroy())
  }

  /** Sends a request to the tenant. If it is refused, signs in again and repeats it if its body was kept. */
  async function send(
    grant: ConsoleGrant,
    request: IncomingMessage,
    path: string,
    signal: AbortSignal,
  ): Promise<ContentAnswer> {
    const { link } = grant.options
    const length = Number(request.headers['content-length'] ?? 0)
    const hasBody = length > 0 || request.headers['transfer-encoding'] !== undefined
    const isKnown = !hasBody || (length > 0 && length <= REPLAYED)
    const known = isKnown && hasBody ? await readAll(request) : null
    const method = (request.method ?? 'GET') as Dispatcher.HttpMethod
    const isDownload = !hasBody && method === 'GET' && DOWNLOADS.test(path)
    const attempt = async (cookie: string): Promise<ContentAnswer> => {
      const headers = requestHeaders(request.headers, cookie)
      if (isDownload) {
        const origin = new URL(link.origin)
        const sent = { method, path, headers: { ...headers, host: origin.host }, signal }
        return await requestContent(origin, sent, TIMEOUTS, link.egress.openSocket)
      }
      const body = isKnown ? known : request
      const options = { origin: link.origin, path, method, headers, body, signal, highWaterMark: BUFFERED_BYTES }
      return streamedContent(await link.egress.dispatcher.request(options))
    }
    const cookie = grant.cookie
    const first = await attempt(cookie)
    // The user has entered a wrong token on the tenant's sign-in page.
    if (first.statusCode !== 401 || !isKnown || /^\/api\/v1\/login/.test(path)) return first
    first.body.on('error', () => {}).destroy()
    return await attempt(await grant.renew(cookie))
  }

  async function upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const { rest, grant, ticket } = target(request)
    if (ticket !== undefined) throw new PageError(400, 'A WebSocket has no ticket')
    const { link } = grant.options
    const { headers, socket: upstream } = await openUpgrade(`${link.origin}/${rest}`, {
      dispatcher: link.egress.dispatcher,
      method: 'GET',
      protocol: 'websocket',
      headers: upgradeHeaders(request.headers, grant.cookie),
      signal: grant.signal,
    })
    const end = () => {
      socket.destroy()
      upstream.destroy()
    }
    const lines = ['sec-websocket-accept', 'sec-websocket-protocol', 'sec-websocket-extensions'].flatMap((name) =>
      typeof headers[name] === 'string' ? [`${name}: ${headers[name]}`] : [],
    )
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${lines.join('\r\n')}\r\n\r\n`,
    )
    if (head.length > 0) upstream.write(head)
    for (const each of [socket, upstream]) each.on('close', end).on('error', end)
    grant.signal.addEventListener('abort', end, { once: true })
    socket.once('close', () => grant.signal.removeEventListener('abort', end))
    socket.pipe(upstream).pipe(socket)
  }

  /** Returns the tenant and login of a request. @throws PageError */
  function target(request: IncomingMessage) {
    const [, base = '', namespace = '', tenant = '', below = '', search = ''] = PATH.exec(request.url ?? '') ?? []
    if (base === '') throw new PageError(404, 'There is nothing at this address')
    if (findRepeatedHeader(request.rawHeaders) !== undefined)
      throw new PageError(400, 'A header of the request is repeated')
    refuseForeign(request)
    const query = new URLSearchParams(search)
    const ticket = request.method === 'GET' ? (query.get('ticket') ?? undefined) : undefined
    const ids = readCookies(request.headers.cookie).get(COOKIE) ?? []
    const grant =
      ticket === undefined
        ? ids.map((id) => grants.get(id)).find((each) => each?.isFor(namespace, tenant))
        : grants.redeem(ticket)
    if (!grant?.isFor(namespace, tenant) || new URL(grant.options.shownAt).host !== request.headers.host)
      throw new PageError(ticket === undefined ? 401 : 403, 'This console session has ended. Press Refresh.')
    const { origin } = request.headers
    if (origin !== undefined && origin !== grant.options.shownAt) throw otherSite()
    query.delete('ticket')
    const rest = ticket === undefined ? below + search : below + (query.size > 0 ? `?${query}` : '')
    return { base, rest, grant, ticket }
  }

  return {
    port: () => (server.address() as AddressInfo | null)?.port ?? 0,
    async listen(host, port) {
      server.listen(port, host)
      await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
        if (cause.code !== 'EADDRINUSE') throw cause
        throw new ConfigError(
          `Port ${port} is in use. Choose another port for tenants' consoles with STOWAGE_PROXY_PORT.`,
        )
      })
    },
    async close() {
      grants.close()
      for (const socket of sockets) socket.destroy()
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/**
 * Refuses requests of other origins: only the tenant's own pages may read, make changes and open sockets. Another page may only
 * embed it in a frame, where the policy of the answer decides. Also refuses top-level pages, because our page can only end those
 * in a frame, and workers that are not part of one page: they would outlive the login, and could use the next one.
 */
function refuseForeign({ method, headers }: IncomingMessage): void {
  const { 'sec-fetch-site': site, 'sec-fetch-dest': dest } = headers
  if (dest === 'document') throw new PageError(403, 'This console can only be shown inside the page that opened it')
  if (headers['service-worker'] !== undefined || dest === 'serviceworker' || dest === 'sharedworker')
    throw new PageError(403, 'Service workers and shared workers are refused')
  const isFrame = method === 'GET' && (dest === 'iframe' || dest === 'frame')
  if (site !== undefined && site !== 'same-origin' && !isFrame) throw otherSite()
}

const otherSite = () => new PageError(403, 'Requests from other sites are refused')

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function pageError(error: unknown): PageError {
  if (error instanceof PageError) return error
  if (error instanceof ForeignRedirect)
    return new PageError(
      502,
      `The console of the tenant redirects to another host, which is not opened here: ${error.message}`,
    )
  return new PageError(502, 'The console of the tenant cannot be reached')
}

function sendRefusal(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const { status, message: text } = pageError(error)
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', connection: 'close' }
  response.writeHead(status, { ...headers, 'x-content-type-options': 'nosniff' }).end(text)
}
