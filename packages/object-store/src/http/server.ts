import { setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Egress } from '@stowage/egress'
import { SigningKeys } from '@stowage/sigv4'
import type { Logger } from 'pino'
import { AppliedConfig } from '../applied-config/applied-config.ts'
import { Audit, type AuditOptions } from '../audit/audit.ts'
import { StoreConfig } from '../config/config.ts'
import type { Engine } from '../engine/interface/types.ts'
import { type EventsOptions, StoreEvents } from '../events/events.ts'
import { DriveChecks } from '../health/drive-checks.ts'
import { HealSequences } from '../health/heal-sequences.ts'
import { Iam } from '../iam/iam.ts'
import { IdentityFinder } from '../iam/identity-finder.ts'
import { KeyUse } from '../iam/key-use.ts'
import { LdapDirectory } from '../iam/ldap/ldap-directory.ts'
import { refreshPeriodically } from '../iam/ldap/refresh-ldap-users.ts'
import { hasOpenIdProvider, readSignInProviders } from '../iam/openid/openid-providers.ts'
import { OpenIdVerifier } from '../iam/openid/openid-verifier.ts'
import { XML_HEAD, xmlTag } from '../lib/xml.ts'
import { LifecycleScanner } from '../lifecycle/lifecycle-scanner.ts'
import { ConsoleLog } from '../process/console-log.ts'
import type { SignInProvider } from '../process/process-messages.ts'
import { Replicator, type ReplicatorOptions } from '../replication/replicator.ts'
import { resumeResyncs } from '../replication/resync.ts'
import { BODY_LIMITS, BodyBudget, type BodyLimits } from '../requests/body-budget.ts'
import { FairQueue } from '../requests/fair-queue.ts'
import { GuessLimiter } from '../requests/guess-limiter.ts'
import { RequestCounters } from '../requests/request-counters.ts'
import { RequestLimit } from '../requests/request-limit.ts'
import { RequestRecorder } from '../requests/request-recorder.ts'
import type { RootCredentials } from '../settings/root-credentials.ts'
import { DEFAULT_REGION } from '../settings/store-settings.ts'
import { TierRegistry, type TierRegistryOptions } from '../tiers/tier-registry.ts'
import { TierRestores } from '../tiers/tier-restores.ts'
import { publishAccessEvents } from './access-events.ts'
import type { StoreServices } from './call/call.ts'
import { handleRequest } from './handle-request.ts'
import { LogWebhooks } from './log-webhooks.ts'
import { metricsApiName } from './metrics/api-names.ts'
import { LDAP_GUESSES, LDAP_TURNS } from './sts/ldap-limits.ts'
import { trackUnusedConnections } from './unused-connections.ts'

export interface StoreServerOptions {
  engine: Engine
  root: RootCredentials
  /** The region required in signatures. Default: the configured region, or any; then answers contain `DEFAULT_REGION`. */
  region: string | undefined
  /** Environment variables that override stored configuration. Default: none. */
  environment?: Readonly<Record<string, string | undefined>> | undefined
  /** Domains of virtual-hosted buckets. */
  domains?: readonly string[]
  /** Whether `X-Forwarded-For` and `-Proto` are trusted. Default: no. */
  trustProxy?: boolean
  /** Whether objects with active content are sent with a sandbox policy. Default: yes. */
  sandbox?: boolean
  /** Connects to identity providers. Default: not available. */
  openid?: { egress: () => Promise<Pick<Egress, 'request'>>; now?: () => number }
  /** Connects to the directory. Default: not available. */
  ldapEgress?: () => Promise<Pick<Egress, 'connect'>>
  /** Gets the providers of the sign-in page, at the start and after each change. */
  onSignInProviders?: ((providers: SignInProvider[]) => void) | undefined
  /** Whether URLs and forms may be signed with Signature Version 2. Default: yes. */
  version2?: boolean
  /** Whether everyone may read the metrics. Default: only with a token that has the right. */
  publicMetrics?: boolean
  /** See `CONSOLE_HEADER`. Default: no console is trusted. */
  consoleSecret?: string | undefined
  /** Limits for bodies of unknown callers; for tests. */
  bodyLimits?: BodyLimits
  /** How events are delivered. Default: only to listeners. */
  events?: Pick<EventsOptions, 'delivery' | 'wait' | 'now' | 'againMs'>
  /** Connects to addresses that users enter. Default: not available. */
  outgoing?: TierRegistryOptions['dispatcher']
  /** Gets a record of each request, in addition to the webhooks of the configuration. */
  audit?: AuditOptions['console']
  /** How versions are sent to remote targets. Default: they are not. */
  replication?: Pick<ReplicatorOptions, 'egress' | 'wait' | 'now'>
  log: Logger
  /** Keeps the latest log lines for clients. Default: none are kept. */
  consoleLog?: ConsoleLog
  /** Actions of `service restart` and `service stop`. */
  control: StoreServices['control']
}

export interface StoreServer {
  /** Records every request, for trace, audit and metrics. */
  readonly recorder: RequestRecorder
  readonly iam: Iam
  readonly events: StoreEvents
  readonly lifecycle: LifecycleScanner
  readonly replication: Replicator
  /** @throws Error if the address cannot be used (EADDRINUSE …) */
  listen(port: number, host: string): Promise<AddressInfo>
  /** Stops accepting requests and resolves when the running ones have ended. Does not close the engine. */
  close(): Promise<void>
}

/** Maximum size of the headers. Session tokens with a policy take up to 6 KiB. */
const MAX_HEADER_BYTES = 32 * 1024
/** A connection without traffic for this long is closed; a transfer may take hours while data is moving. */
const IDLE_MS = 5 * 60_000
/** Longer than the idle timeout of clients and proxies, so that they close connections first. */
const KEEP_ALIVE_MS = 65_000
const HEADERS_MS = 60_000
/** How long running requests may take when the store closes. */
const CLOSE_MS = 60_000

/** Creates a server with S3, STS and the admin API for an engine. */
export function createStoreServer(options: StoreServerOptions): StoreServer {
  const { engine, root, log, control } = options
  const iam = new Iam({ documents: engine, root })
  const config = new StoreConfig({ documents: engine, environment: options.environment })
  const applied = new AppliedConfig(config, engine, iam, log)
  const sendProviders = () => options.onSignInProviders?.(readSignInProviders(config))
  config.onChange('identity_openid', sendProviders)
  sendProviders()
  const region = options.region ?? (config.values('site').region || undefined)
  const recorder = new RequestRecorder(log)
  const closing = new AbortController()
  // One listener for each open stream.
  setMaxListeners(0, closing.signal)
  const events = new StoreEvents({
    engine,
    config,
    log,
    source: { region: region ?? '', deploymentId: engine.deploymentId },
    ...options.events,
  })
  const audit = new Audit({
    config,
    recorder,
    engine,
    log,
    console: options.audit,
    ...options.events,
  })
  const consoleLog = options.consoleLog ?? new ConsoleLog()
  const { delivery, wait } = options.events ?? {}
  const logWebhooks =
    delivery && new LogWebhooks({ config, consoleLog, delivery, deploymentId: engine.deploymentId, log, wait })
  const replication = new Replicator({ engine, log, ...options.replication })
  const endAccessEvents = publishAccessEvents(events, recorder, engine)
  const lifecycle = new LifecycleScanner(engine, log, () => applied.lifecyclePace)
  const tiers = new TierRegistry({ engine, dispatcher: options.outgoing ?? refuseOutgoing })
  engine.setTierAccess(tiers)
  engine.setBusyCheck(() => recorder.isBusy)
  const restores = new TierRestores({ engine, log })
  const keyUse = new KeyUse(iam, {
    onFailure: (error) => log.warn({ err: error }, 'the last use of access keys could not be stored'),
  })
  const endKeyUse = recorder.subscribe(({ accessKey }) => keyUse.recordUse(accessKey))
  const ldap = new LdapDirectory(() => applied.ldap, options.ldapEgress ?? refuseOutgoing)
  void refreshPeriodically(iam, ldap, log, closing.signal)
  const store: StoreServices = {
    keyUse,
    events,
    lifecycle,
    tiers,
    restores,
    replication,
    engine,
    iam,
    identityFinder: new IdentityFinder(
      iam,
      () => applied.isRootAllowed,
      (external) =>
        external.kind === 'ldap' ? ldap.isConfigured : hasOpenIdProvider(applied.openid, external.provider),
    ),
    ldap,
    ldapGuesses: new GuessLimiter(LDAP_GUESSES),
    ldapTurns: new FairQueue(LDAP_TURNS),
    openid: new OpenIdVerifier(() => applied.openid, options.openid?.egress ?? refuseOutgoing, options.openid?.now),
    config,
    applied,
    requests: new RequestLimit(() => applied.maxRequests),
    driveChecks: new DriveChecks(),
    signingKeys: new SigningKeys(),
    recorder,
    counters: new RequestCounters(recorder, engine, metricsApiName),
    audit,
    healSequences: new HealSequences({ engine, isBusy: () => recorder.isBusy, log, closing: closing.signal }),
    publicMetrics: options.publicMetrics ?? false,
    bodies: new BodyBudget(options.bodyLimits ?? BODY_LIMITS, (details) =>
      log.warn(details, 'requests of unknown callers were cut off: they were too many, and unfinished'),
    ),
    log,
    consoleLog,
    logWebhooks,
    region: region ?? DEFAULT_REGION,
    anyRegion: region === undefined,
    domains: (options.domains ?? []).map((domain) => domain.toLowerCase()),
    trustProxy: options.trustProxy ?? false,
    sandbox: options.sandbox ?? true,
    version2: options.version2 ?? true,
    consoleSecret: options.consoleSecret,
    control,
    closing: closing.signal,
  }
  if (options.replication) resumeResyncs(store)
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    requestTimeout: 0,
    headersTimeout: HEADERS_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  })
  server.timeout = IDLE_MS
  const answer = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => {
    // While the server closes, tell clients not to reuse this connection.
    if (!server.listening) response.shouldKeepAlive = false
    void handleRequest(store, request, response, expectsContinue)
  }
  server.on('request', (request, response) => answer(request, response, false))
  server.on('checkContinue', (request, response) => answer(request, response, true))
  // S3 has no other expectations; Node would refuse those that clients and proxies sometimes send.
  server.on('checkExpectation', (request, response) => answer(request, response, false))
  server.on('clientError', refuseUnreadable)
  const unused = trackUnusedConnections(server, ['request', 'checkContinue', 'checkExpectation'])
  return {
    recorder,
    iam,
    events,
    lifecycle,
    replication,
    listen: async (port, host) => {
      await Promise.all([events.ready, audit.ready, logWebhooks?.ready])
      const address = await listen(server, port, host)
      lifecycle.start()
      restores.start()
      return address
    },
    close: async () => {
      closing.abort()
      await Promise.all([
        close(server, recorder, unused),
        applied.stop(),
        store.healSequences.ended(),
        lifecycle.stop(),
        restores.stop(),
      ])
      endAccessEvents()
      endKeyUse()
      await keyUse.flush()
      await Promise.all([events.stop(), audit.stop(), logWebhooks?.stop(), replication.stop()])
    },
  }
}

const refuseOutgoing = () => Promise.reject(new TypeError('there is no way out'))

/** Answers bytes that are not a valid HTTP request. */
function refuseUnreadable(error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const tooLong = error.code === 'HPE_HEADER_OVERFLOW'
  const body = `${XML_HEAD}<Error>${xmlTag('Code', tooLong ? 'MetadataTooLarge' : 'BadRequest')}${xmlTag(
    'Message',
    tooLong ? 'The header section is too long.' : 'The request cannot be read.',
  )}</Error>`
  const packet = error.rawPacket?.toString('latin1', 0, 8) ?? ''
  // An answer to HEAD has no body. If the head arrives in several packets, only the last one is available, without the method.
  const mayBeHead = packet.startsWith('HEAD ') || !/^[A-Z]{3,7}( |$)/.test(packet)
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nServer: Stowage\r\nContent-Type: application/xml\r\n` +
      `Content-Length: ${mayBeHead ? 0 : Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${mayBeHead ? '' : body}`,
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

/** Closes the server. Waits a limited time for running requests, so that a stalled client cannot block the exit. */
function close(server: Server, recorder: RequestRecorder, unused: ReadonlySet<Socket>): Promise<void> {
  // Node closes idle connections only once, in `close`. Those that become idle later are closed here.
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
