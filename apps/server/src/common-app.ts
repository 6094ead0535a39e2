import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import compress from '@fastify/compress'
import fastify, { type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { ConsoleConfig } from './lib/config/config.ts'
import { errorAnswer } from './lib/errors/http-errors.ts'
import { splitBasePath, storeLocation } from './lib/http/base-path.ts'
import { addBodyParsers } from './lib/http/body-parsers.ts'
import { BROTLI_OPTIONS, COMPRESSED_BYTES } from './lib/http/compression.ts'
import { ParserThreads } from './lib/threads/parser-threads.ts'
import { limitAnonymousBodies } from './plugins/anonymous-limits.ts'
import { addApiDocs } from './plugins/api-docs.ts'
import { addGracefulStop } from './plugins/graceful-stop.ts'
import { addRequestHandling } from './plugins/request-handling.ts'
import { addRequestSecurity } from './plugins/request-security.ts'
import { addWebApp } from './plugins/web-app.ts'
import { addWebSockets, type UpgradeHandler } from './plugins/websockets.ts'

/** Maximum size of request headers (bytes): the cookies of the largest session fit, and so do the headers that a proxy adds. */
const MAX_HEADERS = 96 * 1024

/**
 * Adds what every console needs, in either mode: security headers, health, requests. Call it before the routes are added.
 * @param passOn handles WebSockets of another app
 */
export async function addCommonPlugins(
  app: FastifyInstance,
  config: ConsoleConfig,
  passOn?: UpgradeHandler,
): Promise<void> {
  addGracefulStop(app)
  const parserThreads = new ParserThreads()
  app.decorate('parserThreads', parserThreads)
  app.addHook('onClose', () => parserThreads.stop())
  addRequestHandling(app)
  await addWebSockets(app, passOn)
  await addRequestSecurity(app, config)
  limitAnonymousBodies(app)
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    // Do not decompress request bodies: uploads read them themselves.
    globalDecompression: false,
    brotliOptions: BROTLI_OPTIONS,
    threshold: COMPRESSED_BYTES,
  })
  addBodyParsers(app)
}

/** Adds the pages of the web app and the page that documents the API. Call it after the routes were added. */
export async function addPages(app: FastifyInstance, webFolder: string): Promise<void> {
  await addApiDocs(app)
  await addWebApp(app, webFolder)
}

/**
 * A server that does not listen yet.
 * @param screens of a tenant: operator mode passes their requests on
 */
export function createFastifyServer(config: ConsoleConfig, logger: Logger, screens = false): FastifyInstance {
  const publicPath = config.publicUrl?.pathname ?? '/'
  const https = config.tls && { cert: readFileSync(config.tls.certFile), key: readFileSync(config.tls.keyFile) }
  const app = fastify({
    ...(https ? { https: { ...https, maxHeaderSize: MAX_HEADERS } } : { http: { maxHeaderSize: MAX_HEADERS } }),
    loggerInstance: logger,
    // `addRequestHandling` writes one line per request.
    logController: new LogController({ disableRequestLogging: true }),
    // A proxy appends the address that it sees; the client may have made up the addresses before it.
    trustProxy: config.proxies > 0 && ((_address: string, hop: number) => hop < config.proxies),
    genReqId: () => randomUUID(),
    // Uploads take hours; a connection without traffic for ten minutes is considered dead.
    requestTimeout: 0,
    connectionTimeout: 600_000,
    keepAliveTimeout: 75_000,
    // A stop waits for running requests and closes idle connections.
    forceCloseConnections: 'idle',
    // A malformed URL reaches neither a route nor the error handler.
    frameworkErrors: (error, request, reply: FastifyReply) => {
      const { status, body } = errorAnswer(error, request.id)
      reply.code(status).header('x-request-id', request.id).send(body)
    },
    routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
    rewriteUrl: (request: IncomingMessage) => {
      const forwarded = config.proxies > 0 ? request.headers['x-forwarded-prefix'] : undefined
      const ofTenant = config.operator === undefined
      const found = splitBasePath(request.url ?? '/', {
        publicPath,
        forwardedPrefix: firstValue(forwarded),
        ofTenant,
        screens,
      })
      storeLocation(request, found)
      return found.url
    },
  })
  // Both kinds of server have the same app, so the type of the plain HTTP server is used for both.
  return app as unknown as FastifyInstance
}

function firstValue(header: string | string[] | undefined): string | undefined {
  return (Array.isArray(header) ? header[0] : header)?.split(',', 1)[0]?.trim()
}
