/** The cookie's name in the specification; further pieces are `token.1`, `token.2` … */
export const COOKIE = 'token'

/** Browsers keep 4,096 bytes of a cookie, name and attributes counted in. */
const PIECE = 3_800
/** More than any session needs; a bound for what is read. */
const MAX_PIECES = 16

const nameOf = (piece: number) => (piece === 0 ? COOKIE : `${COOKIE}.${piece}`)

/** The cookies that carry a value: name and content of each. */
export function splitCookie(value: string): [name: string, content: string][] {
  const pieces: [string, string][] = []
  for (let at = 0; at < value.length; at += PIECE) pieces.push([nameOf(pieces.length), value.slice(at, at + PIECE)])
  return pieces
}

/** The value that a request's cookies carry, or undefined when there is none. */
export function joinCookies(cookies: Readonly<Record<string, string | undefined>>): string | undefined {
  let value = cookies[COOKIE]
  if (!value) return undefined
  for (let piece = 1; piece < MAX_PIECES; piece++) {
    const content = cookies[nameOf(piece)]
    // A full piece is followed by another one; what stands behind a short one is left over from a longer session.
    if (content === undefined || value.length !== piece * PIECE) break
    value += content
  }
  return value
}

/** The names of all cookies of a session that a request carries, to expire them. */
export function sessionCookieNames(cookies: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(cookies).filter((name) => name === COOKIE || /^token\.\d{1,2}$/.test(name))
}
