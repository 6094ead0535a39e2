/** `*` in a compiled pattern. */
const STAR = -1
/** `?` in a compiled pattern. */
const ANY_BYTE = -2

/** A pattern of characters, `*` (any text, slashes too) and `?` (one byte of UTF-8, as servers count). */
export interface Glob {
  readonly units: Int32Array
  /** Units are bytes of UTF-8 instead of UTF-16 units: only needed for `?`. */
  readonly bytes: boolean
}

/** Whether a pattern matches all, some or none of the texts with a given prefix. */
export type PrefixMatch = 'all' | 'some' | 'none'

/** A part of a pattern: `literal` text matches exactly, including stars. */
export interface GlobPart {
  text: string
  literal: boolean
}

export function compileGlob(pattern: string): Glob {
  return compileParts([{ text: pattern, literal: false }])
}

export function compileParts(parts: readonly GlobPart[]): Glob {
  const bytes = parts.some((part) => !part.literal && part.text.includes('?'))
  const units: number[] = []
  for (const part of parts) {
    for (const unit of textUnits(part.text, bytes)) {
      if (!part.literal && unit === 0x2a) {
        if (units.at(-1) !== STAR) units.push(STAR)
      } else if (!part.literal && unit === 0x3f) units.push(ANY_BYTE)
      else units.push(unit)
    }
  }
  return { units: Int32Array.from(units), bytes }
}

/** Whether the whole text matches. Backtracks only to the last star, so the time is at most pattern × text for any pattern. */
export function globMatches(glob: Glob, text: string): boolean {
  const pattern = glob.units
  const bytes = glob.bytes && !isAscii(text) ? encoder.encode(text) : undefined
  const length = bytes?.length ?? text.length
  let at = 0
  let star = -1
  let resume = 0
  for (let i = 0; i < length; ) {
    const unit = pattern[at]
    if (unit === STAR) {
      star = at++
      resume = i
    } else if (unit === ANY_BYTE || unit === (bytes ? bytes[i] : text.charCodeAt(i))) {
      at++
      i++
    } else if (star >= 0) {
      at = star + 1
      i = ++resume
    } else return false
  }
  while (pattern[at] === STAR) at++
  return at === pattern.length
}

/** Whether all, some or none of the texts that begin with `prefix` match. */
export function globMatchesPrefix(glob: Glob, prefix: string): PrefixMatch {
  const pattern = glob.units
  let states = skipStars(pattern, new Set([0]))
  for (const unit of textUnits(prefix, glob.bytes)) {
    const next = new Set<number>()
    for (const state of states) {
      const expected = pattern[state]
      if (expected === STAR) next.add(state)
      else if (expected === ANY_BYTE || expected === unit) next.add(state + 1)
    }
    if (next.size === 0) return 'none'
    states = skipStars(pattern, next)
  }
  // A star at the end matches any remaining text.
  return pattern[pattern.length - 1] === STAR && states.has(pattern.length - 1) ? 'all' : 'some'
}

/** A star also matches the empty text. */
function skipStars(pattern: Int32Array, states: Set<number>): Set<number> {
  for (const state of states) if (pattern[state] === STAR) states.add(state + 1)
  return states
}

const encoder = new TextEncoder()

function textUnits(text: string, bytes: boolean): Iterable<number> {
  if (bytes) return encoder.encode(text)
  return Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false
  return true
}
