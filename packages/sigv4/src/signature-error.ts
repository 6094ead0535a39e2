/** S3's error codes for invalid signatures and framing, with their HTTP status. */
export const SIGNATURE_STATUS = {
  AccessDenied: 403,
  AuthorizationHeaderMalformed: 400,
  AuthorizationQueryParametersError: 400,
  IncompleteBody: 400,
  InvalidArgument: 400,
  InvalidRequest: 400,
  MalformedTrailerError: 400,
  MissingFields: 400,
  RequestTimeTooSkewed: 403,
  SignatureDoesNotMatch: 403,
  XAmzContentSHA256Mismatch: 400,
} as const satisfies Record<string, number>

export type SignatureErrorCode = keyof typeof SIGNATURE_STATUS

/** An invalid signature, or a signed body with invalid framing. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError'
  constructor(
    readonly code: SignatureErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
  get status(): number {
    return SIGNATURE_STATUS[this.code]
  }
}
