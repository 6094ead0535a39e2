import type { HostileText } from './hostile-texts.ts'

/** A parser, matcher or evaluator of a text that a caller chose. */
export interface CostParser {
  name: string
  run(text: string): unknown
  /** The largest text that it gets (bytes). */
  maxBytes: number
  /** It gives other requests their turn, or runs in a worker thread: its whole time may be longer. */
  yields?: boolean
  /** Texts for this parser, in addition to those for all. */
  texts?: readonly HostileText[]
}
