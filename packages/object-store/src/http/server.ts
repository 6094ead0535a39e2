import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { SigningKeys } from '@stowage/sigv4'
import type { Logger } from 'pino'
import type { Engine } from '../engine/types.ts'
import { Iam } from '../iam/iam.ts'
import { Identifier } from '../iam/identify.ts'
import type { RootCredentials } from '../root-credentials.ts'
import { DEFAULT_REGION } from '../settings.ts'
import { BODY_LIMITS, BodyBudget, type BodyLimits } from './body-budget.ts'
import { BucketPolicies } from './bucket-policies.ts'
import type { Store } from './call.ts'
import { handleRequest } from './handle.ts'
import { Recorder } from './recorder.ts'
import { unusedConnections } from './unused-connections.ts'
import { tag, XML_HEAD } from './xml.ts'

export interface StoreServerOptions {
  engine: Engine
  root: RootCredentials
  /** What signatures must name. Undefined: they may name any region, and clients are told `DEFAULT_REGION`. */
  region: string | undefined
  /** Domains under which buckets are host names. */
  domains?: readonly string[]
  /** Whether `X-Forwarded-For` and `-Proto` are believed. Default: no. */
  trustProxy?: boolean
  /** Whether objects that a browser could run are answered with a policy against it. Default: yes. */
  sandbox?: boolean
  /** See `CONSOLE_HEADER`. Default: no console is believed. */
  consoleSecret?: string | undefined
  /** Of bodies whose senders are not known; for tests. */
  bodyLimits?: BodyLimits
  log: Logger
  /** What `service restart` and `service stop` do. */
  control: Store['control']
}

export interface StoreServer {
  /** Every request passes here: for trace, audit and metrics. */
  readonly recorder: Recorder
  readonly iam: Iam
  /** @throws when the address cannot be taken (EADDRINUSE …) */
  listen(port: number, host: string): Promise<AddressInfo>
  /** Takes no new requests and resolves when the running ones have ended. Does not close the engine. */
  close(): Promise<void>
}

/** Longest header section. Session tokens with a policy inside take up to 6 KiB. */
const MAX_HEADER_BYTES = 32 * 1024
/** A connection on which nothing moves for so long is given up; a transfer may take hours as long as it moves. */
const IDLE_MS = 5 * 60_000
/** Longer than the pause that clients and proxies keep connections for, so that they close first. */
const KEEP_ALIVE_MS = 65_000
const HEADERS_MS = 60_000
/** How long running requests may take to end when the store closes. */
const CLOSE_MS = 60_000

/** S3, STS and admin API over an engine. */
export function createStoreServer(options: StoreServerOptions): StoreServer {
  const { engine, root, region, log, control } = options
  const iam = new Iam({ documents: engine, root })
  const recorder = new Recorder(log)
  const store: Store = {
    engine,
    iam,
    identifier: new Identifier(iam),
    bucketPolicies: new BucketPolicies(engine),
    signingKeys: new SigningKeys(),
    recorder,
    bodies: new BodyBudget(options.bodyLimits ?? BODY_LIMITS, (details) =>
      log.warn(details, 'requests of unknown callers were cut off: they were too many, and unfinished'),
    ),
    log,
    region: region ?? DEFAULT_REGION,
    anyRegion: region === undefined,
    domains: (options.domains ?? []).map((domain) => domain.toLowerCase()),
    trustProxy: options.trustProxy ?? false,
    sandbox: options.sandbox ?? true,
    consoleSecret: options.consoleSecret,
    control,
  }
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    requestTimeout: 0,
    headersTimeout: HEADERS_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  })
  server.timeout = IDLE_MS
  const answer = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => {
    // When the server closes, clients are told not to come back on this connection.
    if (!server.listening) response.shouldKeepAlive = false
    void handleRequest(store, request, response, expectsContinue)
  }
  server.on('request', (request, response) => answer(request, response, false))
  server.on('checkContinue', (request, response) => answer(request, response, true))
  // Other expectations are none of S3's: Node would refuse what clients and proxies send now and then.
  server.on('checkExpectation', (request, response) => answer(request, response, false))
  server.on('clientError', refuse)
  const unused = unusedConnections(server, ['request', 'checkContinue', 'checkExpectation'])
  return {
    recorder,
    iam,
    listen: (port, host) => listen(server, port, host),
    close: () => close(server, recorder, unused),
  }
}

/** Answers what is no readable HTTP request. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const tooLong = error.code === 'HPE_HEADER_OVERFLOW'
  const body = `${XML_HEAD}<Error>${tag('Code', tooLong ? 'MetadataTooLarge' : 'BadRequest')}${tag(
    'Message',
    tooLong ? 'The header section is too long.' : 'The request cannot be read.',
  )}</Error>`
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nServer: Stowage\r\nContent-Type: application/xml\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: 1024 }, () => {
      server.off('error', reject)
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new TypeError('listening on no TCP port'))
      else resolve(address)
    })
  })
}

/** Running requests may end, for a while: a client that has stalled must not hold up the end of the program. */
function close(server: Server, recorder: Recorder, unused: ReadonlySet<Socket>): Promise<void> {
  // Node ends idle connections once, here; those that become idle later are ended as they do.
  const stop = recorder.subscribe(() => setImmediate(() => server.closeIdleConnections()))
  const deadline = setTimeout(() => server.closeAllConnections(), CLOSE_MS)
  return new Promise((resolve, reject) => {
    for (const socket of unused) socket.destroy()
    server.close((error) => {
      clearTimeout(deadline)
      stop()
      if (error) reject(error)
      else resolve()
    })
  })
}
