import type { AuditRecord } from '../records/audit-record.ts'
import { decodeLine, encodeLine, encodeRecordLine } from './record-lines.ts'

/** A part of a segment: whole lines, and the earliest and latest time of their records. */
export interface SegmentBlock {
  /** Offsets in bytes; `end` is exclusive. */
  start: number
  end: number
  first: number
  last: number
}

/** A block takes lines until it has this size (bytes). A search reads at least one block. */
const BLOCK_BYTES = 64 << 10

/** The blocks of a segment. A block that has been given out never changes. */
export class SegmentBlocks {
  readonly #blocks: SegmentBlock[]

  constructor(blocks: SegmentBlock[] = []) {
    this.#blocks = blocks
  }

  get isEmpty(): boolean {
    return this.#blocks.length === 0
  }

  /** Adds lines, which follow the ones before. */
  add({ start, end, first, last }: SegmentBlock): void {
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

  all(): readonly SegmentBlock[] {
    return [...this.#blocks]
  }
}

/** What the last line of a complete segment contains. */
export interface SegmentIndex {
  blocks: SegmentBlocks
  /** Where the line of its sums is, if it has one. */
  sums?: FileRange | undefined
}

/** Offsets in bytes; `end` is exclusive. */
export type FileRange = Pick<SegmentBlock, 'start' | 'end'>

export function encodeIndex({ blocks, sums }: SegmentIndex): string {
  const blockRows = blocks.all().map(({ start, end, first, last }) => [start, end, first, last])
  return encodeLine(JSON.stringify({ blocks: blockRows, sums: sums && [sums.start, sums.end] }))
}

/** Returns the index of a segment; undefined if it has none. @param tail the end of the segment */
export function readIndex(tail: Buffer): SegmentIndex | undefined {
  if (tail.at(-1) !== NEWLINE) return undefined
  const json = decodeLine(tail.subarray(tail.lastIndexOf(NEWLINE, -2) + 1, -1))
  // Records begin with another member.
  if (!json || json.toString('latin1', 0, INDEX.length) !== INDEX) return undefined
  const { blocks, sums } = JSON.parse(json.toString()) as {
    blocks: [number, number, number, number][]
    /** Not in files of the first releases. */
    sums?: [number, number]
  }
  return {
    blocks: new SegmentBlocks(blocks.map(([start, end, first, last]) => ({ start, end, first, last }))),
    ...(sums && { sums: { start: sums[0], end: sums[1] } }),
  }
}

const INDEX = '{"blocks":'
const NEWLINE = 10

/** Returns the lines of records, as many together as are in a block, and the times of the records. */
export function encodeChunks(records: readonly AuditRecord[]): { bytes: Buffer; times: number[] }[] {
  const chunks: { bytes: Buffer; times: number[] }[] = []
  let text = ''
  let times: number[] = []
  for (const [i, record] of records.entries()) {
    text += encodeRecordLine(record)
    times.push(record.at)
    if (text.length < BLOCK_BYTES && i < records.length - 1) continue
    chunks.push({ bytes: Buffer.from(text), times })
    text = ''
    times = []
  }
  return chunks
}
