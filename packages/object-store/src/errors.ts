/** S3's and the server family's codes with their HTTP status. Callers branch on the code; messages are for people. */
export const STATUS = {
  AccessDenied: 403,
  AuthorizationHeaderMalformed: 400,
  BadDigest: 400,
  BadRequest: 400,
  BucketAlreadyOwnedByYou: 409,
  BucketNotEmpty: 409,
  EntityTooLarge: 400,
  EntityTooSmall: 400,
  ExpiredToken: 400,
  IncompleteBody: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidBucketName: 400,
  InvalidDigest: 400,
  InvalidPart: 400,
  InvalidPartNumber: 416,
  InvalidPartOrder: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  InvalidTag: 400,
  InvalidToken: 403,
  KeyTooLongError: 400,
  MalformedPOSTRequest: 400,
  MalformedPolicy: 400,
  MalformedXML: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  NoSuchBucket: 404,
  NoSuchBucketPolicy: 404,
  NoSuchKey: 404,
  NoSuchTagSet: 404,
  NoSuchUpload: 404,
  NoSuchVersion: 404,
  NotImplemented: 501,
  NotModified: 304,
  PreconditionFailed: 412,
  RequestTimeTooSkewed: 403,
  RequestTimeout: 400,
  SignatureDoesNotMatch: 403,
  SlowDownWrite: 503,
  XAmzContentChecksumMismatch: 400,
  XAmzContentSHA256Mismatch: 400,
  XMinioAdminBucketQuotaExceeded: 400,
  XMinioInvalidObjectName: 400,
  XMinioServerNotInitialized: 503,
  XMinioStorageFull: 507,
} as const satisfies Record<string, number>

export type S3ErrorCode = keyof typeof STATUS

/** A failure that a client is told of by its code. */
export class S3Error extends Error {
  override readonly name = 'S3Error'
  constructor(
    readonly code: S3ErrorCode,
    message: string,
    options?: {
      cause?: unknown /** Extra elements of the XML answer, such as `Key`. */
      detail?: Record<string, string>
    },
  ) {
    super(message, options)
    this.detail = options?.detail ?? {}
  }
  readonly detail: Record<string, string>
  get status(): number {
    return STATUS[this.code]
  }
}
