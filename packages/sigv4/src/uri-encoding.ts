const PLAIN = /^[A-Za-z0-9\-._~]*$/
const PLAIN_PATH = /^[A-Za-z0-9\-._~/]*$/
const SLASH = 0x2f
const PLUS = 0x2b
const PERCENT = 0x25

/** The encoding of each byte: itself if RFC 3986 calls it unreserved, otherwise `%XX`. */
const ENCODED = Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte)
  return PLAIN.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
})

function encodeBytes(bytes: Uint8Array, keepSlash: boolean): string {
  let out = ''
  for (const byte of bytes) out += keepSlash && byte === SLASH ? '/' : ENCODED[byte]
  return out
}

/** Percent-encodes a text for a query's name or value: RFC 3986, UTF-8, upper-case digits, space as `%20`. */
export function encodeText(text: string): string {
  return PLAIN.test(text) ? text : encodeBytes(Buffer.from(text), false)
}

/**
 * Percent-encodes an object key or a path. Slashes are kept and nothing is normalized, because S3 keys are bytes, not paths:
 * `a//b` and `a/../b` are distinct keys.
 */
export function encodePath(path: string): string {
  return PLAIN_PATH.test(path) ? path : encodeBytes(Buffer.from(path), true)
}

/** Encodes parameters in sorted order, which every server canonicalizes in the same way. Undefined ones are left out. */
export function encodeQuery(parameters: Iterable<readonly [string, string]>): string {
  return sortPairs(Array.from(parameters, ([name, value]) => [encodeText(name), encodeText(value)] as const))
}

/**
 * The canonical form of a path as sent: each byte decoded once and encoded once.
 * @param path as `node:http` gives it, one character per byte
 */
export function canonicalPath(path: string): string {
  return PLAIN_PATH.test(path) ? path : encodeBytes(decode(path, false), true)
}

/** The pairs of a query as sent, in their order, each name and value in canonical encoding. */
export function canonicalPairs(query: string): [name: string, value: string][] {
  if (query === '') return []
  const pairs: [string, string][] = []
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    pairs.push(at < 0 ? [recode(pair), ''] : [recode(pair.slice(0, at)), recode(pair.slice(at + 1))])
  }
  return pairs
}

/** Sorted by name, then by value, and joined. Encoded text is ASCII, so `<` is byte order. */
export function sortPairs(pairs: (readonly [string, string])[]): string {
  return pairs
    .toSorted((a, b) => order(a[0], b[0]) || order(a[1], b[1]))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

/** Sorted by name only. Go's clients and servers keep the values of one name in the order given. */
export function sortPairsByName(pairs: (readonly [string, string])[]): string {
  return pairs
    .toSorted((a, b) => order(a[0], b[0]))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

/** The text of a canonical name or value. */
export function decodeText(encoded: string): string {
  return encoded.includes('%') ? decode(encoded, false).toString() : encoded
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function recode(text: string): string {
  return PLAIN.test(text) ? text : encodeBytes(decode(text, true), false)
}

/** Percent-decodes to bytes. A `%` without two hex digits after it is kept, as in most servers. */
function decode(text: string, plusIsSpace: boolean): Buffer {
  const out = Buffer.alloc(text.length)
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === PERCENT && /^[0-9A-Fa-f]{2}$/.test(text.slice(i + 1, i + 3))) {
      out[length++] = Number.parseInt(text.slice(i + 1, i + 3), 16)
      i += 2
    } else {
      out[length++] = code === PLUS && plusIsSpace ? 0x20 : code
    }
  }
  return out.subarray(0, length)
}
