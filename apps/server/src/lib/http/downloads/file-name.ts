import { hash } from 'node:crypto'

/**
 * Characters that make a file name look like another one, or that are not allowed in one: control characters, line separators,
 * lone surrogates, characters that change the direction of text, and the bracket of text that looks like a marker.
 */
const MISLEADING = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]|\[(?=U\+[0-9A-F]{4,6}\])/gu

/**
 * Replaces each misleading character with a marker such as `[U+202E]`. Distinct names stay distinct: text in the name that
 * looks like a marker is marked too.
 */
export function markMisleadingCharacters(name: string): string {
  return name.replace(MISLEADING, (char) => {
    const point = char.codePointAt(0) ?? 0
    return `[U+${point.toString(16).toUpperCase().padStart(4, '0')}]`
  })
}

/** Maximum length of a name in file systems, in bytes of UTF-8. */
const MAX_BYTES = 255

/**
 * Shortens a name to the maximum length. Keeps the extension, and adds a hash of the whole name so that names stay distinct.
 */
export function shortenFileName(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name
  const [extension = ''] = /\.\w{1,10}$/.exec(name) ?? []
  const end = `~${hash('sha256', name, 'hex').slice(0, 8)}${extension}`
  const head = Buffer.from(name).subarray(0, MAX_BYTES - end.length)
  // The cut may have split a character; drop its remaining bytes.
  return head.toString().replace(/\ufffd+$/, '') + end
}
