import { hash } from 'node:crypto'

/** The session's cookie of scripts: its name in the specification. Browsers have one of their own, `browserCookie`. */
export const SCRIPT_COOKIE = 'token'

/** Where a browser sees the console. */
export interface Place {
  /** Whether the browser came by TLS. */
  secure: boolean
  /** The `Host` that it asked. */
  host: string
  /** The base path. */
  base: string
}

/**
 * The name of a cookie that a browser gets, the session's unless another stem is given. Browsers send a cookie to every port of a host, and by plain HTTP to every
 * program that answers there; so the name says which console it belongs to, and under TLS its prefix keeps other hosts,
 * paths and plain HTTP from setting it.
 */
export function browserCookie({ secure, host, base }: Place, stem = 'stowage'): string {
  const [, port = secure ? '443' : '80'] = /:(\d{1,5})$/.exec(host) ?? []
  const name = `${stem}-${port}`
  if (base === '/') return secure ? `__Host-${name}` : name
  const below = `${name}-${hash('sha256', base, 'hex').slice(0, 8)}`
  return secure ? `__Secure-${below}` : below
}

/** Browsers keep 4,096 bytes of a cookie, name and attributes counted in. */
const PIECE = 3_800
/** More than any session needs; a bound for what is read. */
const MAX_PIECES = 16

/** A long value is split: further pieces are `name.1`, `name.2` … */
const pieceName = (name: string, piece: number) => (piece === 0 ? name : `${name}.${piece}`)

/** The cookies that carry a value: name and content of each. */
export function splitCookie(name: string, value: string): [name: string, content: string][] {
  const pieces: [string, string][] = []
  for (let at = 0; at < value.length; at += PIECE)
    pieces.push([pieceName(name, pieces.length), value.slice(at, at + PIECE)])
  return pieces
}

/** The cookies of a request: under each name one content, or two when they differ. */
export type Cookies = ReadonlyMap<string, readonly string[]>

/** Reads a `Cookie` header. */
export function readCookies(header: string | undefined): Cookies {
  const cookies = new Map<string, string[]>()
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at < 0) continue
    const name = pair.slice(0, at).trim()
    const content = pair.slice(at + 1).trim()
    const known = cookies.get(name)
    if (!known) cookies.set(name, [content])
    // A third content says no more than a second one, and a header can hold thousands.
    else if (known.length === 1 && known[0] !== content) known.push(content)
  }
  return cookies
}

/**
 * The value that a request's cookies carry under a name; undefined when there is none.
 * @returns `'ambiguous'` when a piece came with two contents: another page of the host has set one of them
 */
export function joinCookie(name: string, cookies: Cookies): string | 'ambiguous' | undefined {
  let value = ''
  for (let piece = 0; piece < MAX_PIECES; piece++) {
    // A full piece is followed by another one; what stands behind a short one is left over from a longer session.
    if (value.length !== piece * PIECE) break
    const [content, another] = cookies.get(pieceName(name, piece)) ?? []
    if (another !== undefined) return 'ambiguous'
    if (!content) break
    value += content
  }
  return value || undefined
}

/** The names of all pieces under a name that a request carries, to expire them. */
export function carriedPieces(name: string, cookies: Cookies): string[] {
  return [...cookies.keys()].filter((each) => each === name || isPiece(each, name))
}

const isPiece = (cookie: string, name: string) =>
  cookie.startsWith(`${name}.`) && /^\d{1,2}$/.test(cookie.slice(name.length + 1))

/** Attributes of a session's cookie. */
export interface CookieAttributes {
  path: string
  secure: boolean
  /** Seconds; 0 takes the cookie away. */
  maxAge: number
  /** Absent: for the very host. */
  domain?: string | undefined
}

/** A `Set-Cookie` header. */
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

/** Segments of an address that are looked at for cookies of other pages. */
const MAX_SEGMENTS = 8

/**
 * Takes away the cookies of a name that reach an address and are not the console's own, which is set for the very host
 * and the base path: a page of another port can set one for a longer path, one of another host for the whole domain.
 * @param path of the request, as the browser sees it
 */
export function expireOthers(name: string, path: string, { secure, host, base }: Place): string[] {
  // Nobody else can set it.
  if (name.startsWith('__Host-')) return []
  const paths = new Set(['/'])
  let at = ''
  for (const segment of path.split('/').slice(1, MAX_SEGMENTS + 1)) {
    if (!/^[\w\-.~%]+$/.test(segment)) break
    at += `/${segment}`
    paths.add(at).add(`${at}/`)
  }
  const domains = [undefined, ...domainsOf(host)]
  return domains.flatMap((domain) =>
    [...paths]
      .filter((each) => domain !== undefined || each !== base)
      .map((each) => setCookie(name, '', { path: each, secure, maxAge: 0, domain })),
  )
}

/** The domains for which another host could set a cookie that reaches this one. */
function domainsOf(host: string): string[] {
  const labels = host.replace(/:\d+$/, '').split('.')
  if (!labels.every((label) => /^[a-z0-9-]+$/i.test(label)) || /^\d+$/.test(labels.at(-1) ?? '')) return []
  return labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'))
}
