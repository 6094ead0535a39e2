import { wildcardPattern } from '../../util/wildcard.ts'

/**
 * Compiles a filter of audit records: without a wildcard it matches the whole value; otherwise `*` matches any text and `.` any
 * character. A backslash escapes the next character.
 * @returns a function that tests a value
 */
export const compileFilterPattern = (pattern: string) => wildcardPattern(pattern, '.')

/** Returns the longest text that every value matching the pattern contains. */
export function findLongestText(pattern: string): string {
  return markWildcards(pattern)
    .split(CUT)
    .reduce((longest, piece) => (piece.length > longest.length ? piece : longest), '')
}

/** Returns the only value that matches the pattern; undefined if it has a wildcard. */
export function findExactText(pattern: string): string | undefined {
  const text = markWildcards(pattern)
  return text.includes(CUT) ? undefined : text
}

/** Translates a filter of audit records to a pattern of SQL's `like`, whose wildcards and escape have no meaning in filters. */
export function toLikePattern(pattern: string): string {
  return pattern.replace(/\\(.)|([*.])|[%_\\]/gs, (whole, escaped?: string, wildcard?: string) => {
    if (wildcard !== undefined) return wildcard === '*' ? '%' : '_'
    const character = escaped ?? whole
    return /[%_\\]/.test(character) ? `\\${character}` : character
  })
}

/** Returns the text of a pattern with a cut for each wildcard. An escaped character is text. */
function markWildcards(pattern: string): string {
  // The order of the alternatives matters.
  return pattern.replace(/\\(.)|[*.]/gs, (_, escaped?: string) => escaped ?? CUT)
}

/** A character that no text of a record has: JSON would escape it. */
const CUT = '\0'
