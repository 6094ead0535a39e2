/** How long the storage server may send nothing before a call fails, in ms. */
export interface Timeouts {
  /** From the last byte of the request to the head of the answer. */
  headMs: number
  /** Between parts of an answer that is read whole. */
  wholeMs: number
  /**
   * Between parts of content that streams to the caller. Time in which the caller is not ready for more does not count. It is
   * longer than the others, because a slow disk or tape may delay content.
   */
  streamMs: number
}

export const TIMEOUTS: Timeouts = { headMs: 60_000, wholeMs: 60_000, streamMs: 300_000 }
