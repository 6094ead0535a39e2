import { hash } from 'node:crypto'
import { reason } from '@stowage/contract'
import { tenantCalls } from '@stowage/contract/tenants/tenant'
import type { SavedKubeObject, TenantObject } from '@stowage/kube'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { serveOperator } from '../../../lib/http/serve.ts'
import type { KubeClients } from '../../../lib/kube/kube-clients.ts'
import type { TenantLinks } from '../../../lib/kube/tenant-links.ts'
import type { TokenChecks } from '../../session/operator/token-checks.ts'
import { tenantHasTls } from '../details/describe-tenant.ts'
import { readTenant, type TenantReference } from '../kube-objects/change-tenant.ts'
import { ConsoleGrant, type ConsoleGrants } from './console-grants.ts'
import { isUnencrypted, refuseExternalService, signInAtTenant } from './console-sign-in.ts'

const OPEN_MS = 30_000

export interface TenantConsoleParts {
  links: TenantLinks
  grants: ConsoleGrants
  checks: TokenChecks
  /** Origin for browsers, if set; `{tenant}` is replaced by a label per tenant. */
  proxyUrl: string | undefined
  /** Port of the server that shows tenants' consoles. */
  proxyPort: () => number
  publicUrl: URL | undefined
}

/** The calls that open a tenant's own console, which is shown at another origin. */
export function tenantConsoleRoutes(
  app: FastifyInstance,
  { links, grants, checks, proxyUrl, proxyPort, publicUrl }: TenantConsoleParts,
) {
  const ownOrigin = (request: FastifyRequest) => publicUrl?.origin ?? `${request.protocol}://${request.host}`
  /** Returns the other origins that our pages may embed in frames. */
  const framed = (request: FastifyRequest) => {
    if (proxyUrl !== undefined) return proxyUrl.replace('{tenant}', '*')
    const own = ownOrigin(request)
    return URL.canParse(own) ? atPort(own, proxyPort()) : ''
  }
  app.addHook('onRequest', async (request, reply) => {
    const policy = reply.getHeader('content-security-policy')
    if (typeof policy === 'string')
      reply.header(
        'content-security-policy',
        policy.replace(/frame-src [^;]*/, (sources) => `${sources} ${framed(request)}`),
      )
  })

  const shownAt = (request: FastifyRequest, at: TenantReference) => {
    if (proxyUrl !== undefined) return new URL(proxyUrl.replace('{tenant}', hostLabel(at))).origin
    return atPort(ownOrigin(request), proxyPort())
  }

  /** @returns the address that shows a page of the console, valid once */
  async function open(
    request: FastifyRequest,
    { kube, session }: KubeClients,
    at: TenantReference,
    page: string,
    insecure: boolean,
    signal: AbortSignal,
  ): Promise<string> {
    const tenant = await readTenant(kube, at, signal)
    await refuseExternalService(kube, tenant, 'console', signal)
    const link = await links.to('console', tenant, tenantHasTls(tenant), kube, signal)
    if (isUnencrypted(link) && !insecure) throw new HttpError(409, reason('tenant-without-tls'))
    const signIn = () => signInAtTenant(kube, tenant, link)
    const options = {
      ...at,
      session: session.id,
      expires: session.expires,
      link,
      addresses: consoleOrigins(tenant),
      framedBy: ownOrigin(request),
      shownAt: shownAt(request, at),
      isShared: !proxyUrl?.includes('{tenant}'),
      signIn,
    }
    checks.add({ kube, session })
    const ticket = grants.add(new ConsoleGrant(options, await signIn()))
    const url = new URL(`/api/proxy/${at.namespace}/${at.tenant}/${page}`, options.shownAt)
    url.searchParams.set('ticket', ticket)
    return url.href
  }

  serveOperator(app, tenantCalls.openTenantConsole, async ({ params, body }, { request, kube, session, signal }) => {
    const page = body.page === 'metrics' ? 'metrics?cp=y' : '?cp=y'
    return { url: await open(request, { kube, session }, params, page, body.insecure ?? false, signal) }
  })

  app.get<{ Params: TenantReference & { '*': string } }>('/api/proxy/:namespace/:tenant/*', async (request, reply) => {
    const clients = app.kubeClients(request)
    // A page of another site must not sign this browser in.
    const site = request.headers['sec-fetch-site'] ?? 'none'
    if (site !== 'same-origin' && site !== 'none') throw new HttpError(403, reason('other-site'))
    const { namespace, tenant } = tenantCalls.openTenantConsole.params.parse(request.params)
    const page = request.params['*'] + request.url.replace(/^[^?]*/, '')
    const signal = AbortSignal.timeout(OPEN_MS)
    return reply.redirect(await open(request, clients, { namespace, tenant }, page, false, signal), 303)
  })
}

function atPort(origin: string, port: number): string {
  const { protocol, hostname } = new URL(origin)
  return new URL(`${protocol}//${hostname}:${port}`).origin
}

/** Returns the origins of the domain that a tenant's console has outside of the cluster. */
function consoleOrigins({ spec }: SavedKubeObject<TenantObject>): string[] {
  const domain = spec?.features?.domains?.console ?? ''
  const urls = /^https?:/i.test(domain) ? [domain] : [`https://${domain}`, `http://${domain}`]
  return urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin)
}

/** Returns a label for host names that is unique to one tenant. */
function hostLabel({ namespace, tenant }: TenantReference): string {
  return `t${hash('sha256', `${namespace}/${tenant}`).slice(0, 20)}`
}
