import type { IncomingHttpHeaders } from 'node:http'
import type { ConsoleGrantOptions } from './console-grants.ts'

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
 * The answer headers that are forwarded to the browser. Other headers may affect more than one answer: the whole host
 * (`Strict-Transport-Security`, `Clear-Site-Data`, `Set-Cookie`), the whole origin (`Alt-Svc`, `NEL`, `Service-Worker-Allowed`), a
 * reverse proxy (`X-Accel-Redirect`), or what other origins may read (`Access-Control-Allow-Origin`).
 */
const ANSWER = [
  'accept-ranges',
  'age',
  'allow',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'permissions-policy',
  'pragma',
  'referrer-policy',
  'retry-after',
  'vary',
  'x-amz-request-id',
  'x-amz-version-id',
  'x-content-type-options',
  'x-request-id',
] as const

/** The sandbox of the frame: no new windows, and no access to the page around it. */
const SANDBOX = 'sandbox allow-scripts allow-same-origin allow-forms allow-downloads allow-modals'

export function requestHeaders(headers: IncomingHttpHeaders, cookie: string): Record<string, string> {
  return { ...pickHeaders(headers, REQUEST), cookie }
}

export function upgradeHeaders(headers: IncomingHttpHeaders, cookie: string): Record<string, string> {
  return { ...requestHeaders(headers, cookie), ...pickHeaders(headers, UPGRADE) }
}

function pickHeaders(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

type Headers = Record<string, string | string[]>

/** A tenant's answer: its headers, and where it was asked. */
interface TenantAnswer {
  statusCode: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Path below which the tenant is shown, with a trailing slash. */
  base: string
  /** The request's path at the tenant, with its query. */
  path: string
}

/**
 * Returns the headers for the browser.
 * @throws ForeignRedirect
 */
export function answerHeaders(
  { statusCode, headers, base, path }: TenantAnswer,
  grant: Pick<ConsoleGrantOptions, 'link' | 'addresses' | 'framedBy' | 'isShared'>,
): Headers {
  const kept: Headers = {}
  for (const name of ANSWER) {
    const value = headers[name]
    if (value !== undefined) kept[name] = value
  }
  // The cache is shared by all tenants of an origin, and their scripts can read it.
  if (grant.isShared) kept['cache-control'] = 'no-store'

  const below = (address: string) => addressBelow(address, path, base, grant)
  for (const name of ['location', 'content-location']) {
    const address = headers[name]
    if (typeof address !== 'string') continue
    const shown = below(address)
    if (shown !== undefined) kept[name] = shown
    else if (name === 'location' && statusCode >= 300 && statusCode < 400)
      throw new ForeignRedirect(address.slice(0, 500))
  }
  // Seconds alone load the page itself again.
  const [, seconds, address] = /^\s*(\d+)[^;,]*(?:[;,]\s*(?:url\s*=\s*)?(.*))?$/i.exec(String(headers.refresh)) ?? []
  const next = address && below(address.trim().replace(/^(["'])(.*?)\1?$/, '$2'))
  if (seconds !== undefined && (!address || next)) kept.refresh = next ? `${seconds}; url=${next}` : seconds

  // A comma separates policies in one header.
  const policies = [headers['content-security-policy'] ?? []].flat().flatMap((value) => value.split(','))
  const own = policies.map(withoutFrames).filter(Boolean)
  kept['content-security-policy'] = [...own, tenantContentPolicy(grant)]
  kept['cross-origin-resource-policy'] = 'same-origin'
  return kept
}

/** A redirect of a tenant to another host; the message is its address. */
export class ForeignRedirect extends Error {}

/** Returns the Content-Security-Policy of all content of a tenant. */
export function tenantContentPolicy({
  framedBy,
  isShared,
}: Pick<ConsoleGrantOptions, 'framedBy' | 'isShared'>): string {
  const policy = `${SANDBOX}; frame-ancestors 'self' ${framedBy}`
  // A shared worker made of a blob can outlive its page, and use the login of the next tenant.
  return isShared ? `${policy}; worker-src 'self'` : policy
}

/** Removes `frame-ancestors`: the console decides who may frame the page, because a tenant only knows its own address. */
function withoutFrames(policy: string): string {
  return policy
    .split(';')
    .filter((directive) => !/^\s*(frame-ancestors|sandbox|report-uri|report-to)\b/i.test(directive))
    .join(';')
    .trim()
}

/** Returns the path at which an address of the tenant is shown; undefined for an address of another host. */
function addressBelow(
  address: string,
  path: string,
  base: string,
  { link, addresses }: Pick<ConsoleGrantOptions, 'link' | 'addresses'>,
): string | undefined {
  const at = new URL(link.origin + path)
  if (!URL.canParse(address, at.href)) return undefined
  const { origin, pathname, search, hash } = new URL(address, at)
  if (origin !== at.origin && !addresses.includes(origin)) return undefined
  return base + pathname.slice(1) + search + hash
}
