/** How long the storage server may be silent before a call is given up, in ms. */
export interface Patience {
  /** Until the head of its answer, from the request's last byte on. */
  headMs: number
  /** Between pieces of an answer that is read whole before anything is done with it. */
  wholeMs: number
  /**
   * Between pieces of content that streams on, while the caller is ready to take more: a caller may be as slow as it
   * likes. Longer, because a slow disk or tape keeps content waiting in the middle.
   */
  streamMs: number
}

export const PATIENCE: Patience = { headMs: 60_000, wholeMs: 60_000, streamMs: 300_000 }
