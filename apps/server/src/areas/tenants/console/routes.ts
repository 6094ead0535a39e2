import { hash } from 'node:crypto'
import { reason } from '@stowage/contract'
import { tenantCalls } from '@stowage/contract/tenants/tenant'
import type { Stored, TenantObject } from '@stowage/kube'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HttpError } from '../../../lib/http/errors.ts'
import { serveOperator } from '../../../lib/http/serve.ts'
import type { KubeClients } from '../../../lib/kube/clients.ts'
import type { TenantLinks } from '../../../lib/kube/tenant-links.ts'
import type { TokenChecks } from '../../operator/token-checks.ts'
import { readTenant, type TenantAt } from '../change.ts'
import { hasTls } from '../describe.ts'
import { Grant, type Grants } from './grants.ts'
import { isUnprotected, refuseElsewhere, signInAtTenant } from './sign-in.ts'

const OPEN_MS = 30_000

export interface ConsoleParts {
  links: TenantLinks
  grants: Grants
  checks: TokenChecks
  /** Origin for browsers, if set; `{tenant}` is replaced by a label per tenant. */
  proxyUrl: string | undefined
  /** Port of the server that shows tenants' consoles. */
  proxyPort: () => number
  publicUrl: URL | undefined
}

/** The calls that open a tenant's own console, which is shown at another origin. */
export function consoleRoutes(
  app: FastifyInstance,
  { links, grants, checks, proxyUrl, proxyPort, publicUrl }: ConsoleParts,
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

  const shownAt = (request: FastifyRequest, at: TenantAt) => {
    if (proxyUrl !== undefined) return new URL(proxyUrl.replace('{tenant}', labelOf(at))).origin
    return atPort(ownOrigin(request), proxyPort())
  }

  /** @returns the address that shows a page of the console, valid once */
  async function open(
    request: FastifyRequest,
    { kube, session }: KubeClients,
    at: TenantAt,
    page: string,
    insecure: boolean,
    signal: AbortSignal,
  ): Promise<string> {
    const tenant = await readTenant(kube, at, signal)
    await refuseElsewhere(kube, tenant, 'console', signal)
    const link = await links.to('console', tenant, hasTls(tenant), kube, signal)
    if (isUnprotected(link) && !insecure) throw new HttpError(409, reason('tenant-without-tls'))
    const signIn = () => signInAtTenant(kube, tenant, link)
    const options = {
      ...at,
      session: session.id,
      expires: session.expires,
      link,
      addresses: domainOf(tenant),
      framedBy: ownOrigin(request),
      shownAt: shownAt(request, at),
      isShared: !proxyUrl?.includes('{tenant}'),
      signIn,
      onUse: () => checks.used(session.id),
    }
    checks.add({ kube, session })
    const ticket = grants.add(new Grant(options, await signIn()))
    const url = new URL(`/api/proxy/${at.namespace}/${at.tenant}/${page}`, options.shownAt)
    url.searchParams.set('ticket', ticket)
    return url.href
  }

  serveOperator(app, tenantCalls.openTenantConsole, async ({ params, body }, { request, kube, session, signal }) => {
    const page = body.page === 'metrics' ? 'metrics?cp=y' : '?cp=y'
    return { url: await open(request, { kube, session }, params, page, body.insecure ?? false, signal) }
  })

  app.get<{ Params: TenantAt & { '*': string } }>('/api/proxy/:namespace/:tenant/*', async (request, reply) => {
    const clients = app.kubeOf(request)
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
function domainOf({ spec }: Stored<TenantObject>): string[] {
  const domain = spec?.features?.domains?.console ?? ''
  const urls = /^https?:/i.test(domain) ? [domain] : [`https://${domain}`, `http://${domain}`]
  return urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin)
}

/** Returns a label for host names that is unique to one tenant. */
function labelOf({ namespace, tenant }: TenantAt): string {
  return `t${hash('sha256', `${namespace}/${tenant}`).slice(0, 20)}`
}
