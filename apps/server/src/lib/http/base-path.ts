import type { IncomingMessage } from 'node:http'

/** Where a request stands below the console's base path. */
export interface Located {
  /** The base path as the browser sees it; begins and ends with a slash. */
  base: string
  /** The request's URL below it, from its first slash on. */
  url: string
  /** The base itself was asked for without its last slash: the address to go to instead. */
  redirect?: string
}

export interface BaseRules {
  /** Path of the public address; `/` when there is none. */
  publicPath: string
  /** `X-Forwarded-Prefix` of a proxy that is believed. */
  forwardedPrefix?: string | undefined
}

/** A name of Kubernetes: a DNS label or several of them. No other character gets into a cookie's path or a redirect. */
const NAME = '[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?'
/**
 * The prefix below which operators pass requests on to the consoles of tenants (SHL-02):
 * `/api/proxy/{namespace}/{tenant}`, and what follows it.
 */
const TENANT_PROXY = new RegExp(`^(/api/proxy/${NAME}/${NAME})([/?].*)?$`)

/** Finds the base path of a request, whether the proxy in front took it off or not. */
export function locate(url: string, rules: BaseRules): Located {
  const prefix = withSlashes(rules.forwardedPrefix || rules.publicPath)
  const bare = prefix.slice(0, -1)
  if (bare && (url === bare || url.startsWith(`${bare}?`)))
    return { base: prefix, url: `/${url.slice(bare.length)}`, redirect: prefix + url.slice(bare.length) }
  const rest = url.startsWith(prefix) ? url.slice(prefix.length - 1) : url
  const [, tenant, below] = TENANT_PROXY.exec(rest) ?? []
  if (tenant === undefined) return { base: prefix, url: rest }
  const base = `${bare}${tenant}/`
  if (below === undefined || below.startsWith('?'))
    return { base, url: `/${below ?? ''}`, redirect: base + (below ?? '') }
  return { base, url: below }
}

/** A prefix becomes part of addresses and cookies: one that is not a plain path is ignored. */
function withSlashes(path: string): string {
  if (!/^[\w\-.~!$&'()*+,=:@%/]*$/.test(path) || /(^|\/)\.{1,2}(\/|$)/.test(path)) return '/'
  return `/${path}/`.replace(/\/{2,}/g, '/')
}

/**
 * The `<base href>` of a page: as many steps up as the page is deep, so that it is right under any prefix.
 * @param url the page's URL below the base path
 */
export function baseHref(url: string): string {
  const path = url.split('?', 1)[0] ?? ''
  const depth = path.split('/').length - 2
  return depth > 0 ? '../'.repeat(depth) : './'
}

const located = new WeakMap<IncomingMessage, Located>()

/** Keeps what `locate` found for a request. */
export function remember(request: IncomingMessage, found: Located): void {
  located.set(request, found)
}

/** What `locate` found for a request. */
export function locationOf(request: IncomingMessage): Located {
  return located.get(request) ?? { base: '/', url: request.url ?? '/' }
}
