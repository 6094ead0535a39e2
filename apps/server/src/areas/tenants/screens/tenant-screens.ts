import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { reason } from '@stowage/contract'
import type { Egress } from '@stowage/egress'
import { type Kube, KubeError, resources, type SavedKubeObject, type TenantObject } from '@stowage/kube'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { ConsoleConfig } from '../../../lib/config/config.ts'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { parseScreensPath, requestLocation } from '../../../lib/http/base-path.ts'
import { notFoundError } from '../../../lib/http/not-found.ts'
import type { KubeClients } from '../../../lib/kube/kube-clients.ts'
import type { TenantLinks } from '../../../lib/kube/tenant-links.ts'
import { createTenantUpstream } from '../../../lib/kube/tenant-upstream.ts'
import type { SessionPayload } from '../../../lib/session/session-payload.ts'
import { TIMEOUTS } from '../../../lib/storage/timeouts.ts'
import type { TokenChecks } from '../../session/operator/token-checks.ts'
import { bearerToken, isBrowserRequest, Sessions } from '../../session/sealed-sessions/sessions.ts'
import { signInWithKeys } from '../../session/sign-in/sign-in-with-keys.ts'
import { effectiveConfiguration } from '../configuration/tenant-configuration.ts'
import { isUnencrypted, refuseExternalService } from '../console/console-sign-in.ts'
import { tenantHasTls } from '../details/describe-tenant.ts'
import { askTenant } from '../details/tenant-admin.ts'
import { readTenant, type TenantReference } from '../kube-objects/change-tenant.ts'

/** Tenants whose screens are in memory; of others they are made again. */
const MAX_APPS = 16
/** Shortest life of temporary keys that servers give (s). */
const MIN_SECONDS = 900

/** Parameters of the screens of one tenant. */
export interface TenantAppParts {
  at: TenantReference
  config: ConsoleConfig
  logger: Logger
  webFolder: string | undefined
  /** Scheme, host and port of the tenant's storage, and the way there. */
  origin: string
  link: Egress
  /** The tenant's storage as others reach it. */
  publicUrl: URL
  /** Connects to addresses that users enter in these screens. */
  egress: Egress
  /** @throws HttpError 401 without a session that opens this tenant */
  requireSession: (request: FastifyRequest) => SessionPayload
  sessions: Sessions
}

export interface TenantScreensParts {
  config: ConsoleConfig
  secrets: readonly [string, ...string[]]
  logger: Logger
  webFolder: string | undefined
  links: TenantLinks
  /** The sessions of operators. */
  operators: Sessions<'kube'>
  checks: TokenChecks
  egress: Egress
  /** Makes the screens of one tenant. */
  build: (parts: TenantAppParts) => Promise<FastifyInstance>
}

/** The screens for a tenant, and the way to it that they use. */
interface OpenScreens {
  app: FastifyInstance
  /** Changes when the tenant moves, or is signed by another authority. */
  key: string
}

/**
 * Our own screens for tenants, below `/tenant/{namespace}/{tenant}/`. A session there is temporary keys of the tenant, in a
 * cookie of that path; it counts only together with the operator's session that opened it.
 */
export class TenantScreens {
  readonly #sessions: Sessions
  readonly #apps = new LRUCache<string, OpenScreens>({
    max: MAX_APPS,
    dispose: ({ app }) => void app.close().catch(() => {}),
  })
  /** Screens that are being made again, by tenant: the requests of one page share them. */
  readonly #building = new Map<string, Promise<FastifyInstance>>()
  /** Base path of the cookies, where it is not that of the request. */
  readonly #bases = new WeakMap<IncomingMessage, string>()

  constructor(private readonly parts: TenantScreensParts) {
    this.#sessions = new Sessions(parts.secrets, parts.config, 'sts', {
      purpose: 'session of a tenant',
      basePath: ({ raw }) => this.#bases.get(raw) ?? requestLocation(raw).base,
    })
    this.#sessions.revoked.onEnd = (id) => this.#endSockets(id)
  }

  /** Ends the screens that an operator's session has opened. */
  endSession(operator: string): void {
    this.#endSockets(operator)
  }

  #endSockets(session: string): void {
    for (const { app } of this.#apps.values()) app.openSockets.endSession(session)
  }

  /**
   * Signs in to a tenant with its own credentials, as far as the caller may read them.
   * @returns path of the screens, and the session
   */
  async open(
    request: FastifyRequest,
    reply: FastifyReply,
    { kube, session: operator }: KubeClients,
    at: TenantReference,
    insecure: boolean,
    signal: AbortSignal,
  ): Promise<{ path: string; sessionId: string }> {
    const tenant = await readTenant(kube, at, signal)
    await refuseExternalService(kube, tenant, 'minio', signal)
    const { rootUser, rootPassword } = await effectiveConfiguration(kube, tenant, signal)
    if (!rootUser || !rootPassword) throw new HttpError(403, reason('tenant-keys'))
    const link = await this.#link(kube, tenant, signal)
    let session: SessionPayload
    try {
      if (isUnencrypted(link) && !insecure) throw new HttpError(409, reason('tenant-without-tls'))
      const { region } = this.parts.config
      const left = Math.floor((operator.expires - Date.now()) / 1000)
      const sessionSeconds = Math.max(MIN_SECONDS, Math.min(this.parts.config.sessionSeconds, left))
      const upstream = createTenantUpstream(link.origin, link.egress).forCaller(request.ip, request.id)
      const credentials = { accessKey: rootUser, secretKey: rootPassword }
      const given = await askTenant(() =>
        signInWithKeys(credentials, { config: { region, sessionSeconds }, upstream }, signal).catch(refusedKeys),
      )
      session = {
        ...given,
        id: `${operator.id}/${randomUUID()}`,
        expires: Math.min(given.expires, operator.expires),
        opened: { ...at, session: operator.id },
      }
    } catch (error) {
      await link.egress.close()
      throw error
    }
    await this.#keep(at, tenant, link, kube, signal)
    this.parts.checks.add({ kube, session: operator })
    const sealed = this.#sessions.seal(session)
    const path = `tenant/${at.namespace}/${at.tenant}/`
    this.#bases.set(request.raw, requestLocation(request.raw).base + path)
    if (isBrowserRequest(request)) this.#sessions.writeCookies(request, reply, session, sealed)
    return { path, sessionId: isBrowserRequest(request) ? session.id : sealed }
  }

  /** Answers a request to the screens of a tenant. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { base, url } = requestLocation(request.raw)
    const at = parseScreensPath(url)
    if (!at) throw notFoundError(request.method, url, 'operator')
    this.#bases.set(request.raw, `${base}${at.path.slice(1)}/`)
    const session = await this.#confirmed(request, at).catch((error: unknown) => {
      if (error instanceof HttpError && error.status === 401) return undefined
      throw error
    })
    if (!session && request.method === 'GET' && isPage(request)) {
      return reply.redirect(`${base}namespaces/${at.namespace}/tenants/${at.tenant}/hop`, 303)
    }
    const app = this.#apps.get(tenantKey(at))?.app ?? (await this.#restore(request, at))
    reply.hijack()
    request.raw.url = request.originalUrl
    app.routing(request.raw, reply.raw)
    return reply
  }

  /** Takes a WebSocket to the screens of a tenant. */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): boolean {
    const { config } = this.parts
    const path = (config.publicUrl?.pathname ?? '/').replace(/\/$/, '')
    const url = request.url ?? '/'
    const at = parseScreensPath(url.startsWith(`${path}/`) ? url.slice(path.length) : url)
    if (!at) return false
    const app = this.#apps.get(tenantKey(at))?.app
    if (app) app.server.emit('upgrade', request, socket, head)
    else {
      // Node removes its own listener before an upgrade: without one, a connection that is reset ends the process.
      socket.on('error', () => socket.destroy())
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    }
    return true
  }

  async close(): Promise<void> {
    const apps = [...this.#apps.values()].map(({ app }) => app)
    // Closing twice is harmless.
    this.#apps.clear()
    await Promise.all(apps.map((app) => app.close()))
  }

  /**
   * Returns the session of a request after the operator's token was checked, which a session that was opened elsewhere or before
   * a restart still has to be.
   * @throws HttpError 401, KubeError
   */
  async #confirmed(request: FastifyRequest, at: TenantReference): Promise<SessionPayload> {
    this.#bound(request, at)
    const { checks } = this.parts
    // Such a script's request has no token to check.
    if (bearerToken(request) === undefined) await checks.restore(request.server.kubeClients(request))
    return this.#live(request, at)
  }

  /** @throws HttpError 401, also for a session whose operator's token is not checked here */
  #live(request: FastifyRequest, at: TenantReference): SessionPayload {
    const session = this.#bound(request, at)
    if (!session.opened || !this.parts.checks.has(session.opened.session)) throw screensEnded()
    return session
  }

  /** Returns the session, bound to this tenant and to an operator's session that was not ended. @throws HttpError 401 */
  #bound(request: FastifyRequest, { namespace, tenant }: TenantReference): SessionPayload {
    const session = this.#sessions.read(request)
    const { opened } = session
    const { operators } = this.parts
    const isBound =
      opened?.namespace === namespace &&
      opened.tenant === tenant &&
      !operators.revoked.has(opened.session) &&
      // A browser has the operator's cookie too; where it was taken away, the other one is left over.
      (bearerToken(request) !== undefined || undefinedIfRefused(() => operators.read(request))?.id === opened.session)
    if (!isBound) throw screensEnded()
    return session
  }

  /** Makes the screens of a tenant again that are not in memory any more, for a session that had opened them. */
  async #restore(request: FastifyRequest, at: TenantReference): Promise<FastifyInstance> {
    this.#live(request, at)
    if (bearerToken(request) !== undefined) throw screensEnded()
    const name = tenantKey(at)
    const running = this.#building.get(name)
    if (running) return await running
    const building = this.#build(request.server.kubeClients(request).kube, at).finally(() =>
      this.#building.delete(name),
    )
    this.#building.set(name, building)
    return await building
  }

  async #build(kube: Kube, at: TenantReference): Promise<FastifyInstance> {
    const signal = AbortSignal.timeout(TIMEOUTS.headMs)
    const tenant = await readTenant(kube, at, signal)
    await refuseExternalService(kube, tenant, 'minio', signal)
    return await this.#keep(at, tenant, await this.#link(kube, tenant, signal), kube, signal)
  }

  async #link(kube: Kube, tenant: SavedKubeObject<TenantObject>, signal: AbortSignal) {
    const timeouts = { headersTimeoutMs: TIMEOUTS.headMs, bodyTimeoutMs: TIMEOUTS.streamMs }
    return await this.parts.links.open('minio', tenant, tenantHasTls(tenant), kube, { ...timeouts, signal })
  }

  /** Returns the screens that use a link to a tenant, and ends those that use another one. A link that is not used is closed. */
  async #keep(
    at: TenantReference,
    tenant: SavedKubeObject<TenantObject>,
    link: { origin: string; egress: Egress; key: string },
    kube: Kube,
    signal: AbortSignal,
  ): Promise<FastifyInstance> {
    const known = this.#apps.get(tenantKey(at))
    if (known?.key === link.key) {
      await link.egress.close()
      return known.app
    }
    const { config, logger, webFolder, egress } = this.parts
    const { namespace, tenant: name } = at
    const building = async () =>
      await this.parts.build({
        at: { namespace, tenant: name },
        config,
        logger,
        webFolder,
        origin: link.origin,
        link: link.egress,
        publicUrl: await storagePublicUrl(kube, tenant, link.origin, signal),
        egress,
        requireSession: (request) => this.#live(request, at),
        sessions: this.#sessions,
      })
    const app = await building().catch(async (error: unknown) => {
      await link.egress.close()
      throw error
    })
    this.#apps.set(tenantKey(at), { app, key: link.key })
    return app
  }
}

const screensEnded = () => new HttpError(401, reason('session-invalid'), { detail: reason('tenant-screens-ended') })

const tenantKey = ({ namespace, tenant }: TenantReference) => `${namespace}/${tenant}`

function undefinedIfRefused<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    if (error instanceof HttpError) return undefined
    throw error
  }
}

/** Whether a browser shows the answer as a page. */
function isPage({ headers }: FastifyRequest): boolean {
  const dest = headers['sec-fetch-dest']
  return dest === undefined ? (headers.accept ?? '').includes('text/html') : dest === 'document' || dest === 'iframe'
}

/** A tenant that refuses its own keys says nothing about the operator's session. */
function refusedKeys(cause: unknown): never {
  if (cause instanceof HttpError && cause.status === 401) throw new HttpError(502, reason('tenant-refused'), { cause })
  throw cause
}

/** Where others reach the storage of a tenant: by its domain, else by its load balancer. */
async function storagePublicUrl(
  kube: Kube,
  tenant: SavedKubeObject<TenantObject>,
  origin: string,
  signal: AbortSignal,
): Promise<URL> {
  const [domain] = tenant.spec?.features?.domains?.minio ?? []
  const scheme = tenantHasTls(tenant) ? 'https' : 'http'
  const named = domain === undefined || /^https?:\/\//.test(domain) ? domain : `${scheme}://${domain}`
  if (named !== undefined && URL.canParse(named)) return new URL(named)
  const { namespace } = tenant.metadata
  const service = await kube
    .get(resources.services, { namespace, name: 'minio' }, { signal })
    .catch((error: unknown) => {
      if (error instanceof KubeError && error.status < 500) return undefined
      throw error
    })
  const [ingress] = service?.status?.loadBalancer?.ingress ?? []
  const host = ingress?.hostname ?? ingress?.ip
  const external = host === undefined ? '' : `${scheme}://${host.includes(':') ? `[${host}]` : host}`
  return new URL(URL.canParse(external) ? external : origin)
}
