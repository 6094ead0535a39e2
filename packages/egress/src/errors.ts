export type EgressErrorCode =
  /** Not an address that can be connected to. */
  | 'BadAddress'
  /** The guard does not let anybody connect there. */
  | 'NotAllowed'
  /** The name has no address, or no server answers. */
  | 'Unreachable'
  | 'TimedOut'
  | 'TooLarge'
  /** The answer points somewhere else, which is not followed. */
  | 'Redirect'
  /** The answer says that the request failed. */
  | 'Status'

/**
 * Why a connection or a request to an address that a person typed failed. The message can be shown: it has nothing of
 * what the remote side sent, and not the address that a name resolves to.
 */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  /** HTTP status of the answer, where there was one. */
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
