import { jsonOf, lineOf } from './lines.ts'

/** A part of a segment: whole lines, and the earliest and latest time of their records. */
export interface Block {
  /** Offsets in bytes; `end` is exclusive. */
  start: number
  end: number
  first: number
  last: number
}

/** A block takes lines until it has this size (bytes). A search reads at least one block. */
export const BLOCK_BYTES = 64 << 10

/** The blocks of a segment. A block that has been given out never changes. */
export class Blocks {
  readonly #blocks: Block[]

  constructor(blocks: Block[] = []) {
    this.#blocks = blocks
  }

  get isEmpty(): boolean {
    return this.#blocks.length === 0
  }

  /** Adds lines, which follow the ones before. */
  add({ start, end, first, last }: Block): void {
    const open = this.#blocks.at(-1)
    if (!open || open.end - open.start >= BLOCK_BYTES) this.#blocks.push({ start, end, first, last })
    else
      this.#blocks[this.#blocks.length - 1] = {
        start: open.start,
        end,
        first: Math.min(open.first, first),
        last: Math.max(open.last, last),
      }
  }

  all(): readonly Block[] {
    return [...this.#blocks]
  }
}

/** The last line of a complete segment: where its blocks are. */
export function indexLine(blocks: Blocks): string {
  return lineOf(
    JSON.stringify({ blocks: blocks.all().map(({ start, end, first, last }) => [start, end, first, last]) }),
  )
}

/** Returns the blocks in the last line of a segment; undefined if it has no such line. @param tail the end of the segment */
export function blocksIn(tail: Buffer): Blocks | undefined {
  if (tail.at(-1) !== NEWLINE) return undefined
  const json = jsonOf(tail.subarray(tail.lastIndexOf(NEWLINE, -2) + 1, -1))
  // Records begin with another member.
  if (!json || json.toString('latin1', 0, INDEX.length) !== INDEX) return undefined
  const { blocks } = JSON.parse(json.toString()) as { blocks: [number, number, number, number][] }
  return new Blocks(blocks.map(([start, end, first, last]) => ({ start, end, first, last })))
}

const INDEX = '{"blocks":'
const NEWLINE = 10
