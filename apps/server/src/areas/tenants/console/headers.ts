import type { IncomingHttpHeaders } from 'node:http'
import type { GrantOptions } from './grants.ts'

/** The request headers that are forwarded to a tenant: never the operator's cookies, bearer token or referer. */
const REQUEST = [
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-encoding',
  'content-length',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'pragma',
  'range',
  'user-agent',
]
/** Additional headers of a request that opens a WebSocket. */
const UPGRADE = ['sec-websocket-extensions', 'sec-websocket-key', 'sec-websocket-protocol', 'sec-websocket-version']

/**
 * Answer headers that are not forwarded to the browser: those that would affect this host instead of the tenant's, those that
 * would let other origins read the answer, and those of one connection.
 */
const DROPPED = new Set([
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'alt-svc',
  'clear-site-data',
  'connection',
  'keep-alive',
  'nel',
  'proxy-authenticate',
  'public-key-pins',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'set-cookie',
  'strict-transport-security',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
  'x-frame-options',
])

/** The sandbox of the frame: no new windows, and no access to the page around it. */
const SANDBOX = 'sandbox allow-scripts allow-same-origin allow-forms allow-downloads allow-modals'

export function requestHeaders(headers: IncomingHttpHeaders, cookie: string): Record<string, string> {
  return { ...pick(headers, REQUEST), cookie }
}

export function upgradeHeaders(headers: IncomingHttpHeaders, cookie: string): Record<string, string> {
  return { ...requestHeaders(headers, cookie), ...pick(headers, UPGRADE) }
}

function pick(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

type Headers = Record<string, string | string[]>

/** @param base path below which the tenant is shown, with a trailing slash */
export function answerHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  base: string,
  { link, framedBy }: Pick<GrantOptions, 'link' | 'framedBy'>,
): Headers {
  const kept: Headers = {}
  for (const [name, value] of Object.entries(headers)) if (value !== undefined && !DROPPED.has(name)) kept[name] = value
  if (typeof kept.location === 'string') kept.location = redirected(kept.location, base, link.origin)
  // A comma separates policies in one header.
  const policies = [kept['content-security-policy'] ?? []].flat().flatMap((value) => value.split(','))
  const own = policies.map(withoutFrames).filter(Boolean)
  return { ...kept, 'content-security-policy': [...own, policyOf(framedBy)] }
}

/** Returns the Content-Security-Policy of all content of a tenant. */
export function policyOf(framedBy: string): string {
  return `${SANDBOX}; frame-ancestors 'self' ${framedBy}`
}

/** Removes `frame-ancestors`: the console decides who may frame the page, because a tenant only knows its own address. */
function withoutFrames(policy: string): string {
  return policy
    .split(';')
    .filter((directive) => !/^\s*(frame-ancestors|sandbox|report-uri|report-to)\b/i.test(directive))
    .join(';')
    .trim()
}

/** Rewrites redirects within the tenant so that they stay below its path. */
function redirected(location: string, base: string, origin: string): string {
  if (location.startsWith(`${origin}/`)) return base + location.slice(origin.length + 1)
  return location.startsWith('/') && !location.startsWith('//') ? base + location.slice(1) : location
}
