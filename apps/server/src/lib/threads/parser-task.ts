/**
 * Work on bytes or a text that a caller chose, done in a worker thread. It has a name, because functions cannot be sent to a
 * thread. The program `parser-worker.ts` has the list of all.
 */
export interface ParserTask<Input, Output> {
  readonly name: string
  /** Input and output are copied between the threads, so they are plain data. Errors keep only their message. */
  readonly run: (input: Input) => Output
}

/** A task that is sent to the worker. */
export interface ParserCall {
  name: string
  input: unknown
}

export type ParserAnswer = { result: unknown } | { failure: string }
