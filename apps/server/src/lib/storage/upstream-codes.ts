/** What a code of the storage server means here: the status of our answer, and a text where its own says too little. */
interface Meaning {
  status: number
  message?: string
}

const SESSION_OVER: Meaning = { status: 401, message: 'invalid session' }

/**
 * Codes of S3, STS and the admin API. The status is ours to choose: the original answers 500 to nearly all of them.
 * A code that is not here keeps its status when that is 4xx and becomes 502 otherwise.
 */
const MEANINGS = {
  AccessDenied: { status: 403, message: 'access denied' },
  // On the session's own credentials these say that it is over; only the session's credentials are ever sent.
  AccessKeyDisabled: SESSION_OVER,
  ExpiredToken: SESSION_OVER,
  InvalidAccessKeyId: SESSION_OVER,
  InvalidClientTokenId: SESSION_OVER,
  InvalidToken: SESSION_OVER,
  InvalidTokenId: SESSION_OVER,

  NoSuchBucket: { status: 404 },
  NoSuchBucketPolicy: { status: 404 },
  NoSuchKey: { status: 404 },
  NoSuchUpload: { status: 404 },
  NoSuchVersion: { status: 404 },
  XMinioAdminNoSuchGroup: { status: 404 },
  XMinioAdminNoSuchPolicy: { status: 404 },
  XMinioAdminNoSuchUser: { status: 404 },
  XMinioInvalidIAMCredentials: { status: 404 },

  BucketAlreadyExists: { status: 409, message: 'Bucket already exists' },
  BucketAlreadyOwnedByYou: { status: 409, message: 'Bucket already exists' },
  BucketNotEmpty: { status: 409 },
  InvalidBucketState: { status: 409 },
  OperationAborted: { status: 409 },
  XMinioAdminGroupNotEmpty: { status: 409 },
  XMinioPolicyAlreadyAttached: { status: 409 },

  EntityTooLarge: { status: 413 },
  PreconditionFailed: { status: 412 },
  InvalidRange: { status: 416 },
  MethodNotAllowed: { status: 405 },
  XMinioAdminVersionMismatch: { status: 501, message: 'The storage server does not know this call' },
  NotImplemented: { status: 501, message: 'The storage server does not know this call' },
  ObjectLocked: { status: 403 },
  RequestTimeTooSkewed: { status: 403, message: 'The clocks of the console and of the storage server differ too much' },
  SignatureDoesNotMatch: { status: 403 },

  InternalError: { status: 502, message: 'The storage server reports an internal error' },
  RequestTimeout: { status: 502 },
  ServiceUnavailable: { status: 503 },
  SlowDown: { status: 503, message: 'The storage server is busy, please try again' },
  SlowDownRead: { status: 503, message: 'The storage server is busy, please try again' },
  SlowDownWrite: { status: 503, message: 'The storage server is busy, please try again' },
  STSNotInitialized: { status: 503, message: 'The storage server is starting, please try again' },
  STSIAMNotInitialized: { status: 503, message: 'The storage server is starting, please try again' },
  XMinioIAMNotInitialized: { status: 503, message: 'The storage server is starting, please try again' },
  XMinioServerNotInitialized: { status: 503, message: 'The storage server is starting, please try again' },
  XMinioStorageFull: { status: 507 },

  // Ours, for answers that are none of a storage server's.
  Unreadable: { status: 502 },
  WebPage: { status: 502 },
} as const satisfies Record<string, Meaning>

/** @param status what the storage server answered with */
export function meaningOf(code: string, status: number): Meaning {
  // The code is the server's own text, which may be `constructor`.
  const known: Meaning | undefined = Object.hasOwn(MEANINGS, code) ? MEANINGS[code as keyof typeof MEANINGS] : undefined
  return known ?? { status: status >= 400 && status < 500 && status !== 401 ? status : 502 }
}
