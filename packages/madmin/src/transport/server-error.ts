/** The parts of an error answer. */
export interface ServerErrorAnswer {
  code: string
  message: string
  /** HTTP status. */
  status: number
  requestId?: string | undefined
}

/** An error answer of a server, with a code of a closed list. */
export abstract class ServerError<Code extends string> extends Error {
  readonly code: Code | 'Unknown'
  /** The code that the server sent, also if `code` is `Unknown`; empty if it sent none. */
  readonly rawCode: string
  /** HTTP status. */
  readonly status: number
  readonly requestId: string | undefined

  constructor(codes: readonly Code[], answer: ServerErrorAnswer, options?: ErrorOptions) {
    super(answer.message, options)
    this.rawCode = answer.code
    this.code = codes.find((code) => code === answer.code) ?? 'Unknown'
    this.status = answer.status
    this.requestId = answer.requestId
  }
}
