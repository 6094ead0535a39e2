import type { IncomingMessage } from 'node:http'

/** The base path of a request, and the rest of its URL. */
export interface RequestLocation {
  /** The base path as the browser sees it, with a slash at both ends. */
  base: string
  /** The request's URL below the base path, with a leading slash. */
  url: string
  /** Set if the base path was requested without its trailing slash: the URL to redirect to. */
  redirect?: string
  /** For the screens of a tenant in operator mode: the base path of the console that opened them. */
  outer?: string
}

export interface BasePathRules {
  /** Path of `STOWAGE_PUBLIC_URL`; `/` if it is not set. */
  publicPath: string
  /** `X-Forwarded-Prefix` of a trusted proxy. */
  forwardedPrefix?: string | undefined
  /** False in operator mode, where such a path contains a tenant's console and not this one. */
  ofTenant?: boolean
  /** True for the screens of a tenant that operator mode has opened, which have a base path of their own. */
  screens?: boolean
}

/**
 * Pattern of a Kubernetes name: one or more DNS labels. No other character may become part of a cookie's path or a redirect.
 */
const NAME = '[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?'
/** The prefix that operators add to requests to the consoles of tenants (SHL-02): `/api/proxy/{namespace}/{tenant}`. */
const TENANT_PROXY = new RegExp(`^(/api/proxy/${NAME}/${NAME})([/?].*)?$`)
/** Where operator mode shows our own screens for a tenant. */
const TENANT_SCREENS = new RegExp(`^(/tenant/(${NAME})/(${NAME}))([/?].*)?$`)

/** The tenant whose screens a URL below the base path is about. */
export function parseScreensPath(url: string): { namespace: string; tenant: string; path: string } | undefined {
  const [, path, namespace, tenant] = TENANT_SCREENS.exec(url) ?? []
  return path === undefined || namespace === undefined || tenant === undefined ? undefined : { namespace, tenant, path }
}

/** Finds the base path of a request, whether or not the proxy removed it. */
export function splitBasePath(url: string, rules: BasePathRules): RequestLocation {
  const prefix = withSlashes(rules.forwardedPrefix || rules.publicPath)
  const bare = prefix.slice(0, -1)
  if (bare && (url === bare || url.startsWith(`${bare}?`)))
    return { base: prefix, url: `/${url.slice(bare.length)}`, redirect: prefix + url.slice(bare.length) }
  const rest = url.startsWith(prefix) ? url.slice(prefix.length - 1) : url
  const screens = rules.screens ? parseScreensPath(rest) : undefined
  const [, tenant] = screens ? ['', screens.path] : (rules.ofTenant !== false && TENANT_PROXY.exec(rest)) || []
  if (tenant === undefined) return { base: prefix, url: rest }
  const below = rest.slice(tenant.length)
  const outer = screens ? { outer: prefix } : {}
  const base = `${bare}${tenant}/`
  if (below === '' || below.startsWith('?')) return { base, url: `/${below}`, redirect: base + below, ...outer }
  return { base, url: below, ...outer }
}

/** Returns a prefix with slashes. A prefix becomes part of URLs and cookies, so one that is not a plain path is ignored. */
function withSlashes(path: string): string {
  if (!/^[\w\-.~!$&'()*+,=:@%/]*$/.test(path) || /(^|\/)\.{1,2}(\/|$)/.test(path)) return '/'
  return `/${path}/`.replace(/\/{2,}/g, '/')
}

/**
 * Returns the `<base href>` of a page: one `../` per level of its path, which works under any prefix.
 * @param url the page's URL below the base path
 */
export function baseHref(url: string): string {
  const path = url.split('?', 1)[0] ?? ''
  const depth = path.split('/').length - 2
  return depth > 0 ? '../'.repeat(depth) : './'
}

const locations = new WeakMap<IncomingMessage, RequestLocation>()

/** Stores the result of `splitBasePath` for a request. */
export function storeLocation(request: IncomingMessage, found: RequestLocation): void {
  locations.set(request, found)
}

/** Returns the result of `splitBasePath` for a request. */
export function requestLocation(request: IncomingMessage): RequestLocation {
  return locations.get(request) ?? { base: '/', url: request.url ?? '/' }
}
