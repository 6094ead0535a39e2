export type EgressErrorCode =
  /** Not a valid address. */
  | 'BadAddress'
  /** The guard does not allow this connection. */
  | 'NotAllowed'
  /** The name has no address, or the server does not answer. */
  | 'Unreachable'
  | 'TimedOut'
  | 'TooLarge'
  /** The answer is a redirect, which is not followed. */
  | 'Redirect'
  /** The answer has an error status. */
  | 'Status'

/**
 * Why a connection or request to an address entered by a user failed. The message can be shown to users: it contains nothing
 * that the remote side sent, and not the address that a name resolves to.
 */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  /** HTTP status of the answer, if there was one. */
  readonly status: number | undefined

  constructor(
    readonly code: EgressErrorCode,
    message: string,
    { status, cause }: { status?: number; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.status = status
  }
}
