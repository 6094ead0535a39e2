import type { SegmentBlock } from './segment-blocks.ts'

/** A block of a segment or, if its blocks are not known yet, the whole segment. */
interface SegmentPart<Segment> {
  segment: Segment
  block?: SegmentBlock
  /** The earliest and latest time of its records. */
  first: number
  last: number
}

/** What a search has not read yet, in the order in which its records can be part of the answer. */
export class SearchQueue<Segment extends { first: number; last: number }> {
  readonly #from: number
  readonly #to: number
  readonly #newestFirst: boolean
  /** The next one is the last. */
  readonly #parts: SegmentPart<Segment>[] = []
  #sorted = true

  /** @param range ms since 1970: from, inclusive, and to, exclusive */
  constructor({ from, to }: { from: number; to: number }, newestFirst: boolean) {
    this.#from = from
    this.#to = to
    this.#newestFirst = newestFirst
  }

  /** Adds a segment or, if they are known, its blocks. */
  add(segment: Segment, blocks?: readonly SegmentBlock[]): void {
    const isWanted = ({ first, last }: { first: number; last: number }) => last >= this.#from && first < this.#to
    const { first, last } = segment
    const parts = blocks?.map((block) => ({ ...block, segment, block })) ?? [{ segment, first, last }]
    for (const part of parts) if (isWanted(part)) this.#parts.push(part)
    this.#sorted = false
  }

  take(): SegmentPart<Segment> | undefined {
    this.#sort()
    return this.#parts.pop()
  }

  /** No record that remains comes before this time; undefined if none remains. */
  get edge(): number | undefined {
    this.#sort()
    const next = this.#parts.at(-1)
    return next && (this.#newestFirst ? next.last : next.first)
  }

  #sort(): void {
    if (this.#sorted) return
    this.#parts.sort(this.#newestFirst ? (a, b) => a.last - b.last : (a, b) => b.first - a.first)
    this.#sorted = true
  }
}
