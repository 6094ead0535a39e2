import { hash } from 'node:crypto'

/**
 * Characters that make a file name look like another one, or that a file name cannot contain: control characters, line
 * separators, lone surrogates, characters that change the direction of text, and the bracket of a text like a marker.
 */
const MISLEADING = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]|\[(?=U\+[0-9A-F]{4,6}\])/gu

/**
 * Replaces each misleading character by a marker such as `[U+202E]`. Two names never become the same: a text in the name
 * that looks like a marker is marked too.
 */
export function visibleName(name: string): string {
  return name.replace(MISLEADING, (char) => {
    const point = char.codePointAt(0) ?? 0
    return `[U+${point.toString(16).toUpperCase().padStart(4, '0')}]`
  })
}

/** The longest name that file systems accept, in bytes of UTF-8. */
const LONGEST = 255

/** Shortens a name to what file systems accept. It keeps the extension, and a hash of the whole name keeps names distinct. */
export function cutName(name: string): string {
  if (Buffer.byteLength(name) <= LONGEST) return name
  const [extension = ''] = /\.\w{1,10}$/.exec(name) ?? []
  const end = `~${hash('sha256', name, 'hex').slice(0, 8)}${extension}`
  const head = Buffer.from(name).subarray(0, LONGEST - end.length)
  // The cut may split a character; its remaining bytes are dropped.
  return head.toString().replace(/\ufffd+$/, '') + end
}
