import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import { createEgress } from '@stowage/egress'
import fastify, { type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import type { Logger } from 'pino'
import { adminRoutes } from './areas/admin/index.ts'
import { bucketRoutes } from './areas/buckets/index.ts'
import { objectRoutes } from './areas/objects/index.ts'
import { sessionRoutes } from './areas/session/index.ts'
import { KnownDevices } from './areas/session/known-devices.ts'
import { Sessions } from './areas/session/sessions.ts'
import type { Config } from './lib/config/config.ts'
import { locate, remember } from './lib/http/base-path.ts'
import { addBodyParsers } from './lib/http/body-parsers.ts'
import { errorAnswer } from './lib/http/errors.ts'
import { WEB_FOLDER } from './lib/program/paths.ts'
import { ClientFactory } from './lib/storage/clients.ts'
import { openUpstream } from './lib/storage/upstream.ts'
import './lib/http/services.ts'
import { addHealth } from './plugins/health.ts'
import { addOpenApi } from './plugins/openapi.ts'
import { addRequestHandling } from './plugins/requests.ts'
import { addSecurity } from './plugins/security.ts'
import { addWebApp } from './plugins/static.ts'
import { addStop } from './plugins/stop.ts'
import { addStrangers } from './plugins/strangers.ts'

/** Bytes of a request's headers: the cookies of the largest session fit, with room for a proxy's own. */
const MAX_HEADERS = 96 * 1024

/** What the app needs beside its settings: found out or started before. */
export interface AppParts {
  /** The storage server, embedded or not. */
  server: URL
  /** Headers by which the server knows this console and believes whose address it forwards. */
  proof?: Record<string, string> | undefined
  /** What session keys are made of, the sealing one first. */
  secrets: readonly [string, ...string[]]
  logger: Logger
  /** Folder of the built web app; default: where the build puts it. */
  webFolder?: string
}

/** Builds the console's app. It does not listen yet; `close()` lets running calls end and frees its connections. */
export async function buildApp(config: Config, parts: AppParts): Promise<FastifyInstance> {
  const app = createServer(config, parts.logger)
  const upstream = openUpstream(parts.server, config.caFile, parts.proof)
  const factory = new ClientFactory(upstream)
  const sessions = new Sessions(parts.secrets, config)
  const devices = new KnownDevices(parts.secrets, sessions)

  app.decorate('egress', createEgress({ ...config.egress, ownPorts: () => ownPorts(app, parts.server) }))
  app.decorate('checkAnswers', config.checkAnswers)
  app.decorate('storeUrl', parts.server)
  app.decorateRequest('session', undefined)
  app.decorate('sessionOf', (request) => (request.session ??= sessions.of(request)))
  app.decorate('knowsCaller', (request) => sessions.knows(request))
  app.decorate('clientsOf', (request, signal) => factory.of(app.sessionOf(request), request.ip, signal))
  app.addHook('onClose', async () => {
    factory.close()
    await Promise.all([upstream.close(), app.egress.close()])
  })

  addStop(app)
  addRequestHandling(app)
  await addSecurity(app, config)
  addStrangers(app)
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    // Bodies of requests are left alone: uploads read them themselves.
    globalDecompression: false,
    // The default level of brotli takes a hundred times as long for a tenth less.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    threshold: 1024,
  })
  addBodyParsers(app)

  sessionRoutes(app, { config, upstream, sessions, devices })
  bucketRoutes(app)
  objectRoutes(app)
  adminRoutes(app)
  addHealth(app, upstream)
  await addOpenApi(app)
  await addWebApp(app, parts.webFolder ?? WEB_FOLDER)
  app.addHook('onListen', async () => factory.warmUp())
  return app
}

function createServer(config: Config, logger: Logger): FastifyInstance {
  const publicPath = config.publicUrl?.pathname ?? '/'
  const https = config.tls && { cert: readFileSync(config.tls.certFile), key: readFileSync(config.tls.keyFile) }
  const app = fastify({
    ...(https ? { https: { ...https, maxHeaderSize: MAX_HEADERS } } : { http: { maxHeaderSize: MAX_HEADERS } }),
    loggerInstance: logger,
    // One line per request is written by `addRequestHandling`.
    logController: new LogController({ disableRequestLogging: true }),
    // A proxy adds the address that it saw at the end; what stands before may be made up by the client.
    trustProxy: config.proxies > 0 && ((_address: string, hop: number) => hop < config.proxies),
    genReqId: () => randomUUID(),
    // Uploads take hours; a connection on which nothing moves for ten minutes is gone.
    requestTimeout: 0,
    connectionTimeout: 600_000,
    keepAliveTimeout: 75_000,
    // A stop waits for what runs and closes what idles.
    forceCloseConnections: 'idle',
    // An address that cannot be read never reaches a route, nor the handler of its errors.
    frameworkErrors: (error, request, reply: FastifyReply) => {
      const { status, body } = errorAnswer(error, request.id)
      reply.code(status).header('x-request-id', request.id).send(body)
    },
    routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
    rewriteUrl: (request: IncomingMessage) => {
      const forwarded = config.proxies > 0 ? request.headers['x-forwarded-prefix'] : undefined
      const found = locate(request.url ?? '/', { publicPath, forwardedPrefix: firstOf(forwarded) })
      remember(request, found)
      return found.url
    },
  })
  // Both kinds of server have the same app; the type of the plain one stands for both.
  return app as unknown as FastifyInstance
}

/** The ports of this machine that belong to the program: the console's, and that of a storage server that is here too. */
function ownPorts(app: FastifyInstance, server: URL): number[] {
  const listening = app.addresses().flatMap((address) => (typeof address === 'object' ? [address.port] : []))
  return [...listening, Number(server.port) || (server.protocol === 'https:' ? 443 : 80)]
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return (Array.isArray(header) ? header[0] : header)?.split(',', 1)[0]?.trim()
}
