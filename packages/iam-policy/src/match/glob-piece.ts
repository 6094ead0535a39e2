/** The part of a pattern between two stars. */
export interface Piece {
  readonly text: string
  /** The positions in `text` that match any unit, in ascending order. */
  readonly anyAt: readonly number[]
  /** Created by the first search. */
  search?: PieceSearch
}

/** Returns the first place of a piece at or after `from`; -1 if there is none. */
type PieceSearch = (text: string, from: number) => number

export function pieceStartsAt({ text: wanted, anyAt }: Piece, text: string, at: number): boolean {
  if (anyAt.length === 0) return text.startsWith(wanted, at)
  if (text.length - at < wanted.length) return false
  let from = 0
  for (const any of anyAt) {
    if (any >= wanted.length) break
    if (!text.startsWith(wanted.slice(from, any), at + from)) return false
    from = any + 1
  }
  return text.startsWith(wanted.slice(from), at + from)
}

/**
 * The time of `indexOf` can grow with text × piece, so it searches short pieces only. For longer ones it froze servers: `*aaa…b`
 * in a text of many `a`.
 */
const MAX_INDEX_OF = 16

/**
 * Returns the first place of a piece at or after `from`; -1 if there is none. The time grows with the text alone. With `?` in
 * the piece it grows with text × piece / 32.
 */
export function findPiece(piece: Piece, text: string, from: number): number {
  if (piece.anyAt.length === 0 && piece.text.length <= MAX_INDEX_OF) return text.indexOf(piece.text, from)
  piece.search ??= piece.anyAt.length === 0 ? literalSearch(piece.text) : questionMarkSearch(piece)
  return piece.search(text, from)
}

/** The algorithm of Knuth, Morris and Pratt: at most two comparisons for each unit of the text. */
function literalSearch(wanted: string): PieceSearch {
  /** For each length of a matched beginning, the length of the longest shorter beginning that ends it. */
  const shorter = new Int32Array(wanted.length + 1)
  for (let i = 1, matched = 0; i < wanted.length; i++) {
    const unit = wanted.charCodeAt(i)
    while (matched > 0 && unit !== wanted.charCodeAt(matched)) matched = shorter[matched] ?? 0
    if (unit === wanted.charCodeAt(matched)) matched++
    shorter[i + 1] = matched
  }
  return (text, from) => {
    let matched = 0
    for (let i = from; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      while (matched > 0 && unit !== wanted.charCodeAt(matched)) matched = shorter[matched] ?? 0
      if (unit === wanted.charCodeAt(matched)) matched++
      if (matched === wanted.length) return i + 1 - matched
    }
    return -1
  }
}

/**
 * The algorithm Shift-And: bit i of `state` is set while the last i + 1 units of the text match the beginning of the piece, so
 * one step handles 32 of its positions.
 */
function questionMarkSearch({ text: wanted, anyAt }: Piece): PieceSearch {
  const words = Math.ceil(wanted.length / 32)
  const anyBits = new Int32Array(words)
  for (const at of anyAt) setBit(anyBits, at)
  // A unit is compared by its low and its high byte, so that the tables stay small.
  const low = positionsByByte(wanted, anyBits, (unit) => unit & 0xff)
  const high = positionsByByte(wanted, anyBits, (unit) => unit >> 8)
  const lastBit = 1 << ((wanted.length - 1) & 31)
  return (text, from) => {
    const state = new Int32Array(words)
    /** The words of `state` from here on are zero. */
    let used = 0
    for (let i = from; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      const lowBits = low.get(unit & 0xff) ?? anyBits
      const highBits = high.get(unit >> 8) ?? anyBits
      let carry = 1
      const end = Math.min(used + 1, words)
      used = 0
      for (let word = 0; word < end; word++) {
        const before = state[word] as number // within the bounds, as the others
        const now = ((before << 1) | carry) & (lowBits[word] as number) & (highBits[word] as number)
        carry = before >>> 31
        state[word] = now
        if (now !== 0) used = word + 1
      }
      if (used === words && ((state[words - 1] as number) & lastBit) !== 0) return i + 1 - wanted.length
    }
    return -1
  }
}

/** Returns, for each byte, the positions of the piece that match it, as bits. */
function positionsByByte(wanted: string, anyBits: Int32Array, byteOf: (unit: number) => number) {
  const positions = new Map<number, Int32Array>()
  for (let i = 0; i < wanted.length; i++) {
    const byte = byteOf(wanted.charCodeAt(i))
    let bits = positions.get(byte)
    if (!bits) {
      bits = anyBits.slice()
      positions.set(byte, bits)
    }
    setBit(bits, i)
  }
  return positions
}

function setBit(bits: Int32Array, at: number): void {
  const word = at >> 5
  bits[word] = (bits[word] ?? 0) | (1 << (at & 31))
}
