import { findPiece, type Piece, pieceStartsAt } from './glob-piece.ts'

/**
 * A compiled pattern of characters, `*` (any text, slashes too) and `?`. A comparison takes a time that grows with the length of
 * the text, whatever the pattern; only texts between stars that contain `?` take longer (see `findPiece`).
 */
export interface Glob {
  /** The texts between the stars. The first is at the start of a matching text, the last at its end. */
  readonly pieces: readonly Piece[]
  /** No shorter text matches. */
  readonly minLength: number
  /** Pieces and texts are compared as bytes of UTF-8. */
  readonly bytes: boolean
}

/** A part of a pattern: `literal` text matches exactly, including stars. */
export interface GlobPart {
  text: string
  literal: boolean
}

export interface GlobOptions {
  /** What `?` matches: one byte of UTF-8 (the default, as in policies), one UTF-16 unit, or `?` alone. */
  questionMark?: 'byte' | 'unit' | 'literal'
}

/** Whether a pattern matches all, some or none of the texts with a given prefix. */
export type PrefixMatch = 'all' | 'some' | 'none'

export function compileGlob(pattern: string, options?: GlobOptions): Glob {
  return compileGlobParts([{ text: pattern, literal: false }], options)
}

/** Compiles a pattern of which some parts are literal, such as the value of a variable or an escaped character. */
export function compileGlobParts(parts: readonly GlobPart[], { questionMark = 'byte' }: GlobOptions = {}): Glob {
  const bytes = questionMark === 'byte' && parts.some((part) => !part.literal && part.text.includes('?'))
  const builder = new PieceBuilder(questionMark !== 'literal')
  for (const { text, literal } of parts) {
    const units = bytes ? utf8Units(text) : text
    if (literal) builder.add(units)
    else builder.addPattern(units)
  }
  const pieces = builder.finish()
  return { pieces, minLength: pieces.reduce((sum, { text }) => sum + text.length, 0), bytes }
}

class PieceBuilder {
  readonly #pieces: Piece[] = []
  readonly #questionMarks: boolean
  #text = ''
  #anyAt: number[] = []

  constructor(questionMarks: boolean) {
    this.#questionMarks = questionMarks
  }

  add(text: string): void {
    this.#text += text
  }

  addPattern(text: string): void {
    for (const [i, segment] of text.split('*').entries()) {
      if (i > 0) this.#star()
      if (this.#questionMarks) {
        for (let at = segment.indexOf('?'); at >= 0; at = segment.indexOf('?', at + 1)) {
          this.#anyAt.push(this.#text.length + at)
        }
      }
      this.#text += segment
    }
  }

  #star(): void {
    // Several stars in a row are one.
    if (this.#text !== '' || this.#pieces.length === 0) this.#pieces.push({ text: this.#text, anyAt: this.#anyAt })
    this.#text = ''
    this.#anyAt = []
  }

  finish(): Piece[] {
    return [...this.#pieces, { text: this.#text, anyAt: this.#anyAt }]
  }
}

/** Whether the whole text matches. */
export function globMatches(glob: Glob, text: string): boolean {
  const { pieces } = glob
  const units = glob.bytes ? utf8Units(text) : text
  const [first, last] = [pieces[0], pieces.at(-1)]
  if (!first || !last || units.length < glob.minLength || !pieceStartsAt(first, units, 0)) return false
  if (pieces.length === 1) return units.length === first.text.length
  const end = units.length - last.text.length
  if (!pieceStartsAt(last, units, end)) return false
  let at = first.text.length
  // The first place of each piece leaves the most text for the others, so no other place needs a try.
  for (let i = 1; i < pieces.length - 1; i++) {
    const piece = pieces[i] as Piece // within the bounds
    const found = findPiece(piece, units, at)
    if (found < 0) return false
    at = found + piece.text.length
  }
  return at <= end
}

/** Whether all, some or none of the texts that begin with `prefix` match. */
export function globMatchesPrefix(glob: Glob, prefix: string): PrefixMatch {
  const units = glob.bytes ? utf8Units(prefix) : prefix
  const [first] = glob.pieces
  if (!first) return 'none'
  const hasStar = glob.pieces.length > 1
  if (units.length > first.text.length) {
    if (!hasStar || !pieceStartsAt(first, units, 0)) return 'none'
  } else if (!pieceStartsAt({ ...first, text: first.text.slice(0, units.length) }, units, 0)) return 'none'
  // After the first star any text may follow, also one that matches the rest. A star at the end matches every text that follows.
  return hasStar && glob.pieces.at(-1)?.text === '' && globMatches(glob, prefix) ? 'all' : 'some'
}

/** Whether the characters of a pattern include this one. */
export function globIncludes(glob: Glob, character: '/'): boolean {
  return glob.pieces.some(({ text }) => text.includes(character))
}

const encoder = new TextEncoder()
/** Few enough for the arguments of one call. */
const CHUNK = 8192

/** Returns a text with one character for each byte of UTF-8. */
function utf8Units(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text
  const bytes = encoder.encode(text)
  let units = ''
  for (let at = 0; at < bytes.length; at += CHUNK) units += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return units
}
