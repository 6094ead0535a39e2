import { hash } from 'node:crypto'

/** Name of the session cookie of scripts, from the specification. Browsers get another one: `browserCookie`. */
export const SCRIPT_COOKIE = 'token'

/** The console's location as a browser sees it. */
export interface CookieLocation {
  /** Whether the browser uses TLS. */
  secure: boolean
  /** The `Host` header. */
  host: string
  /** The base path. */
  base: string
}

/**
 * Returns the name of a browser's cookie; by default the session cookie. Browsers send cookies to every port of a host, so the
 * name contains the port of the console. Under TLS, its prefix prevents other hosts, paths and plain HTTP from setting it.
 */
export function browserCookie({ secure, host, base }: CookieLocation, stem = 'stowage'): string {
  const [, port = secure ? '443' : '80'] = /:(\d{1,5})$/.exec(host) ?? []
  const name = `${stem}-${port}`
  if (base === '/') return secure ? `__Host-${name}` : name
  const below = `${name}-${hash('sha256', base, 'hex').slice(0, 8)}`
  return secure ? `__Secure-${below}` : below
}

/** Browsers accept at most 4,096 bytes per cookie, including name and attributes. */
const PIECE_LENGTH = 3_800
/** Maximum number of pieces to read; more than any session needs. */
const MAX_PIECES = 16

/** A long value is split; further pieces are named `name.1`, `name.2` … */
const pieceName = (name: string, piece: number) => (piece === 0 ? name : `${name}.${piece}`)

/** Splits a value into cookies: name and content of each. */
export function splitCookie(name: string, value: string): [name: string, content: string][] {
  const pieces: [string, string][] = []
  for (let at = 0; at < value.length; at += PIECE_LENGTH)
    pieces.push([pieceName(name, pieces.length), value.slice(at, at + PIECE_LENGTH)])
  return pieces
}

/** The cookies of a request by name: one content, or two if they differ. */
export type Cookies = ReadonlyMap<string, readonly string[]>

/** Parses a `Cookie` header. */
export function readCookies(header: string | undefined): Cookies {
  const cookies = new Map<string, string[]>()
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at < 0) continue
    const name = pair.slice(0, at).trim()
    const content = pair.slice(at + 1).trim()
    const known = cookies.get(name)
    if (!known) cookies.set(name, [content])
    // Two contents are enough to detect that a cookie is ambiguous; a header can contain thousands.
    else if (known.length === 1 && known[0] !== content) known.push(content)
  }
  return cookies
}

/**
 * Joins the pieces of a cookie; undefined if the request does not have it.
 * @returns `'ambiguous'` if a piece has two contents: another page of the host has set one of them
 */
export function joinCookie(name: string, cookies: Cookies): string | 'ambiguous' | undefined {
  let value = ''
  for (let piece = 0; piece < MAX_PIECES; piece++) {
    // Only a full piece is followed by another one; pieces after a short one are left over from a longer session.
    if (value.length !== piece * PIECE_LENGTH) break
    const [content, another] = cookies.get(pieceName(name, piece)) ?? []
    if (another !== undefined) return 'ambiguous'
    if (!content) break
    value += content
  }
  return value || undefined
}

/** Returns the names of all pieces of a cookie that a request carries, to expire them. */
export function cookiePieceNames(name: string, cookies: Cookies): string[] {
  return [...cookies.keys()].filter((each) => each === name || isPiece(each, name))
}

const isPiece = (cookie: string, name: string) =>
  cookie.startsWith(`${name}.`) && /^\d{1,2}$/.test(cookie.slice(name.length + 1))

/** Attributes of a session's cookie. */
export interface CookieAttributes {
  path: string
  secure: boolean
  /** Seconds; 0 deletes the cookie. */
  maxAge: number
  /** Absent: only this host, without subdomains. */
  domain?: string | undefined
}

/** Returns a `Set-Cookie` header. */
export function setCookie(name: string, content: string, { path, secure, maxAge, domain }: CookieAttributes): string {
  const attributes = [
    `${name}=${content}`,
    `Path=${path}`,
    ...(domain === undefined ? [] : [`Domain=${domain}`]),
    `Max-Age=${maxAge}`,
    'HttpOnly',
    ...(secure ? ['Secure'] : []),
    'SameSite=Strict',
  ]
  return attributes.join('; ')
}

/** Maximum number of path segments for which cookies are expired. */
const MAX_SEGMENTS = 8

/**
 * Returns headers that expire all cookies of a name that are sent with a URL, except the console's own, which has exactly this
 * host and the base path. A page of another port can set one for a longer path, a page of another host one for the whole
 * domain.
 * @param path of the request, as the browser sees it
 */
export function expireForeignCookies(name: string, path: string, { secure, host, base }: CookieLocation): string[] {
  // No other host, path or port without TLS can set a cookie with this prefix.
  if (name.startsWith('__Host-')) return []
  const paths = new Set(['/'])
  let at = ''
  for (const segment of path.split('/').slice(1, MAX_SEGMENTS + 1)) {
    if (!/^[\w\-.~%]+$/.test(segment)) break
    at += `/${segment}`
    paths.add(at).add(`${at}/`)
  }
  const domains = [undefined, ...parentDomains(host)]
  return domains.flatMap((domain) =>
    [...paths]
      .filter((each) => domain !== undefined || each !== base)
      .map((each) => setCookie(name, '', { path: each, secure, maxAge: 0, domain })),
  )
}

/** Returns the domains for which another host could set a cookie that is sent to this one. */
function parentDomains(host: string): string[] {
  const labels = host.replace(/:\d+$/, '').split('.')
  if (!labels.every((label) => /^[a-z0-9-]+$/i.test(label)) || /^\d+$/.test(labels.at(-1) ?? '')) return []
  return labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'))
}
