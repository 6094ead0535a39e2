import { compileGlobParts, type GlobPart, globMatches } from '@stowage/iam-policy'

/**
 * Compiles a pattern in which `*` matches any text and `one` any UTF-16 unit. A backslash escapes the next character.
 * @returns a function that tests a value; its time grows with the value, see `globMatches`
 */
export function wildcardPattern(pattern: string, one: '.' | '?'): (value: string) => boolean {
  const glob = compileGlobParts([...patternParts(pattern, one)], { questionMark: 'unit' })
  return (value) => globMatches(glob, value)
}

function* patternParts(pattern: string, one: '.' | '?'): Generator<GlobPart> {
  // A backslash at the end escapes nothing, so it is text.
  for (const [whole, escaped] of pattern.matchAll(/\\(.)|[*.?]|[^*.?\\]+|\\$/gs)) {
    if (whole === '*' || whole === one) yield { text: whole === '*' ? '*' : '?', literal: false }
    else yield { text: escaped ?? whole, literal: true }
  }
}
