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
