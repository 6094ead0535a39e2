import { wildcardPattern } from '../wildcard.ts'

/**
 * Compiles a filter of audit records: without a wildcard it matches the whole value; otherwise `*` matches any text and `.` any
 * character. A backslash escapes the next character.
 * @returns a function that tests a value
 */
export const patternOf = (pattern: string) => wildcardPattern(pattern, '.')

/** Returns the longest text that every value matching the pattern contains. */
export function longestText(pattern: string): string {
  // An escaped character stays in its piece; the order of the alternatives matters.
  const pieces = pattern.replace(/\\(.)|[*.]/gs, (_, escaped?: string) => escaped ?? CUT).split(CUT)
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), '')
}

/** Returns the only value that matches the pattern; undefined if it has a wildcard. */
export function exactText(pattern: string): string | undefined {
  const text = pattern.replace(/\\(.)|[*.]/gs, (_, escaped?: string) => escaped ?? CUT)
  return text.includes(CUT) ? undefined : text
}

/** Translates a filter of audit records to a pattern of SQL's `like`, whose wildcards and escape have no meaning in filters. */
export function likeOf(pattern: string): string {
  return pattern.replace(/\\(.)|([*.])|[%_\\]/gs, (whole, escaped?: string, wildcard?: string) => {
    if (wildcard !== undefined) return wildcard === '*' ? '%' : '_'
    const character = escaped ?? whole
    return /[%_\\]/.test(character) ? `\\${character}` : character
  })
}

/** A character that no text of a record has: JSON would escape it. */
const CUT = '\0'
