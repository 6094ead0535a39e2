import { hash } from 'node:crypto'

/**
 * Characters that show a file name as another one than it is, or that no file name can hold: controls, line separators,
 * lone surrogates and those that turn the direction of the text. And the bracket of a text that looks like a marker.
 */
const MISLEADING = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]|\[(?=U\+[0-9A-F]{4,6}\])/gu

/**
 * A name with each misleading character as a marker such as `[U+202E]`. Two names never become the same: a marker that
 * stood in the name before is marked too.
 */
export function visibleName(name: string): string {
  return name.replace(MISLEADING, (char) => {
    const point = char.codePointAt(0) ?? 0
    return `[U+${point.toString(16).toUpperCase().padStart(4, '0')}]`
  })
}

/** What file systems take as one name, in bytes of UTF-8. */
const LONGEST = 255

/** A name cut to what a file can have; a hash of the whole keeps two of them apart, and the extension stays. */
export function cutName(name: string): string {
  if (Buffer.byteLength(name) <= LONGEST) return name
  const [extension = ''] = /\.\w{1,10}$/.exec(name) ?? []
  const end = `~${hash('sha256', name, 'hex').slice(0, 8)}${extension}`
  const head = Buffer.from(name).subarray(0, LONGEST - end.length)
  // The cut may split a character; what is left of it is dropped.
  return head.toString().replace(/\ufffd+$/, '') + end
}
