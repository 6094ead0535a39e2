export type SealingErrorCode = 'Truncated' | 'UnknownAlgorithm' | 'NotAuthentic'

/** A sealed body that cannot be opened. */
export class SealingError extends Error {
  override readonly name = 'SealingError'
  constructor(
    readonly code: SealingErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
