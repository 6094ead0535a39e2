/** What an answer says of the call that it refuses. */
export interface RefusedAnswer {
  code: string
  message: string
  /** HTTP status. */
  status: number
  requestId?: string | undefined
}

/** A call that the server refused, by a code of a closed list. */
export abstract class Refusal<Code extends string> extends Error {
  readonly code: Code | 'Unknown'
  /** The server's own word, also where `code` is `Unknown`; empty when it said none. */
  readonly rawCode: string
  /** HTTP status. */
  readonly status: number
  readonly requestId: string | undefined

  constructor(codes: readonly Code[], answer: RefusedAnswer, options?: ErrorOptions) {
    super(answer.message, options)
    this.rawCode = answer.code
    this.code = codes.find((code) => code === answer.code) ?? 'Unknown'
    this.status = answer.status
    this.requestId = answer.requestId
  }
}
