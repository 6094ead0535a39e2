/*
 * Distinguished names as text (RFC 4514). Directories compare most values case-insensitively, but not all, so the case of
 * values is kept: names that policies are attached to always have the spelling of the directory.
 */

/** Maximum length of a name (characters). */
const MAX_DN = 1024

/**
 * Normalizes a name: attribute types in lower case, no spaces around parts, one way of escaping; undefined if it is not a
 * distinguished name.
 */
export function normalizeDn(text: string): string | undefined {
  if (text.length > MAX_DN || /[\p{Cc}\p{Surrogate}\ufffd]/u.test(text)) return undefined
  const parts = splitUnescaped(text, ',').map(normalizeRdn)
  return parts.every((part) => part !== undefined) ? parts.join(',') : undefined
}

/** Whether a name is in the subtree of another one; both normalized. */
export function isWithinDn(dn: string, base: string): boolean {
  const [name, root] = [dn.toLowerCase(), base.toLowerCase()]
  return name === root || name.endsWith(`,${root}`)
}

/** Returns the value of the first attribute of a normalized name: `anna` for `uid=anna,dc=example`. */
export function firstDnValue(dn: string): string | undefined {
  const [rdn = ''] = splitUnescaped(dn, ',')
  const [pair = ''] = splitUnescaped(rdn, '+')
  return readValue(pair.slice(pair.indexOf('=') + 1))
}

/** Escapes text for use as a value in a name. */
export function escapeDnValue(text: string): string {
  return text
    .replace(/[\\"#+,;<=>]/g, '\\$&')
    .replaceAll('\0', '\\00')
    .replace(/^ | $/g, '\\ ')
}

/** Normalizes one part, which may have several attributes: `cn=Anna+uid=7`. */
function normalizeRdn(text: string): string | undefined {
  const pairs = splitUnescaped(text, '+').map((pair) => {
    const [, type, value] = /^\s*([A-Za-z][A-Za-z0-9-]*|\d+(?:\.\d+)*)\s*=(.*)$/s.exec(pair) ?? []
    if (type === undefined || value === undefined) return undefined
    const read = readValue(value)
    return read === undefined ? undefined : `${type.toLowerCase()}=${escapeDnValue(read)}`
  })
  return pairs.every((pair) => pair !== undefined) ? pairs.join('+') : undefined
}

/** Decodes a value, which directories may escape in several ways, such as `\,` and `\2C`. */
function readValue(value: string): string | undefined {
  const bare = value.trimStart()
  const trimmed = bare.trimEnd()
  // A trailing space counts if it is escaped.
  const text = ENDS_ESCAPING.test(trimmed) && trimmed !== bare ? `${trimmed} ` : trimmed
  if (ENDS_ESCAPING.test(text)) return undefined
  const parts = text.match(/\\[0-9a-f]{2}|\\.|[^\\]+/giu) ?? []
  const bytes = parts.map((part) => {
    if (!part.startsWith('\\')) return Buffer.from(part)
    return /^\\[0-9a-f]{2}$/i.test(part) ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part.slice(1))
  })
  const read = Buffer.concat(bytes).toString('utf8')
  return read === '' || /[\p{Cc}\ufffd]/u.test(read) ? undefined : read
}

/** Matches text that ends with an odd number of backslashes. */
const ENDS_ESCAPING = /(?:^|[^\\])(?:\\\\)*\\$/

function splitUnescaped(text: string, separator: string): string[] {
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === separator) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}
