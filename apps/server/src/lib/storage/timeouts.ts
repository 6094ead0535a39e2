/** How long the storage server may send nothing before a call fails (ms). */
export interface Timeouts {
  /** From the last byte of the request to the headers of the answer. */
  headMs: number
  /** Between chunks of an answer that is read whole. */
  wholeMs: number
  /**
   * Between chunks of content that streams to the caller, without the time in which the caller is not ready for more. Longer
   * than the others, because a slow disk or tape may delay content.
   */
  streamMs: number
}

export const TIMEOUTS: Timeouts = { headMs: 60_000, wholeMs: 60_000, streamMs: 300_000 }
