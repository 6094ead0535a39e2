import type { SegmentBlock } from './segment-blocks.ts'

/** Maximum number of bytes that are read at once, and number of segments of which bytes are kept. */
const MAX_READ = 4 << 20
const KEPT = 4

interface Region {
  start: number
  bytes: Buffer
}

/**
 * Reads the blocks of segments for one search: first as little as possible, because a page often ends there, then more and more
 * in the direction of the search.
 */
export class BlockReader<Segment> {
  readonly #read: (segment: Segment, start: number, end: number) => Promise<Buffer>
  readonly #backwards: boolean
  readonly #regions = new Map<Segment, Region>()
  #next = 0

  /** @param read reads a part of a segment; less at its end, and nothing if it was deleted */
  constructor(read: (segment: Segment, start: number, end: number) => Promise<Buffer>, backwards: boolean) {
    this.#read = read
    this.#backwards = backwards
  }

  async readBlock(segment: Segment, { start, end }: SegmentBlock): Promise<Buffer> {
    let region = this.#regions.get(segment)
    if (!region || start < region.start || end > region.start + region.bytes.length) {
      const extra = Math.max(0, this.#next - (end - start))
      // Records that arrived in the opposite order of their times are read in the opposite direction.
      const backwards = region ? start < region.start : this.#backwards
      const from = backwards ? Math.max(0, start - extra) : start
      const to = backwards ? end : end + extra
      region = { start: from, bytes: await this.#read(segment, from, to) }
      this.#next = Math.min(MAX_READ, Math.max(2 * this.#next, 2 * (end - start)))
      this.#regions.delete(segment)
      this.#regions.set(segment, region)
      for (const oldest of this.#regions.keys()) {
        if (this.#regions.size <= KEPT) break
        this.#regions.delete(oldest)
      }
    }
    return region.bytes.subarray(start - region.start, end - region.start)
  }
}
