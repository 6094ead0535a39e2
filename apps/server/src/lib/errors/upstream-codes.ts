import { type Reason, reason } from '@stowage/contract'

/** The status of our answer for an error code of the storage server, and a reason if the server's text is not helpful. */
interface StorageErrorMeaning {
  status: number
  reason?: Reason
}

const SESSION_OVER: StorageErrorMeaning = { status: 401, reason: reason('session-invalid') }
const BUCKET_EXISTS: StorageErrorMeaning = { status: 409, reason: reason('bucket-exists') }
const UNSUPPORTED: StorageErrorMeaning = { status: 501, reason: reason('storage-unsupported') }
const BUSY: StorageErrorMeaning = { status: 503, reason: reason('storage-busy') }
const STARTING: StorageErrorMeaning = { status: 503, reason: reason('storage-starting') }

/**
 * Codes of S3, STS and the admin API, with the status of our answer: the original answers 500 to nearly all of them. Any other
 * code keeps its status if that is 4xx, and becomes 502 otherwise.
 */
const MEANINGS = {
  AccessDenied: { status: 403, reason: reason('access-denied') },
  // Requests are only signed with the session's credentials, so these codes mean that the session has ended.
  AccessKeyDisabled: SESSION_OVER,
  ExpiredToken: SESSION_OVER,
  InvalidAccessKeyId: SESSION_OVER,
  InvalidClientTokenId: SESSION_OVER,
  InvalidToken: SESSION_OVER,
  InvalidTokenId: SESSION_OVER,

  NoSuchBucket: { status: 404 },
  NoSuchBucketPolicy: { status: 404 },
  NoSuchKey: { status: 404 },
  // MinIO answers 400.
  NoSuchObjectLockConfiguration: { status: 404 },
  NoSuchUpload: { status: 404 },
  NoSuchVersion: { status: 404 },
  RemoteDestinationNotFoundError: { status: 404 },
  XMinioAdminNoSuchGroup: { status: 404 },
  XMinioAdminNoSuchPolicy: { status: 404 },
  XMinioAdminNoSuchUser: { status: 404 },
  XMinioLDAPNotEnabled: { status: 404, reason: reason('server-without-directory') },

  BucketAlreadyExists: BUCKET_EXISTS,
  BucketAlreadyOwnedByYou: BUCKET_EXISTS,
  BucketNotEmpty: { status: 409 },
  InvalidBucketState: { status: 409 },
  InvalidObjectState: { status: 409 },
  OperationAborted: { status: 409 },
  XMinioAdminGroupNotEmpty: { status: 409 },
  XMinioHealAlreadyRunning: { status: 409 },
  XMinioHealOverlappingPaths: { status: 409 },
  XMinioIAMPolicyInUse: { status: 409 },
  XMinioPolicyAlreadyAttached: { status: 409 },

  EntityTooLarge: { status: 413 },
  PreconditionFailed: { status: 412 },
  InvalidRange: { status: 416 },
  MethodNotAllowed: { status: 405 },
  XMinioAdminVersionMismatch: UNSUPPORTED,
  NotImplemented: UNSUPPORTED,
  ObjectLocked: { status: 403 },
  RequestTimeTooSkewed: { status: 403, reason: reason('clock-difference') },
  SignatureDoesNotMatch: { status: 403 },

  InternalError: { status: 502, reason: reason('storage-internal-error') },
  RequestTimeout: { status: 502 },
  ServiceUnavailable: { status: 503 },
  SlowDown: BUSY,
  SlowDownRead: BUSY,
  SlowDownWrite: BUSY,
  STSNotInitialized: STARTING,
  STSIAMNotInitialized: STARTING,
  XMinioIAMNotInitialized: STARTING,
  XMinioServerNotInitialized: STARTING,
  XMinioStorageFull: { status: 507 },

  // Our own codes, for answers that do not come from a storage server.
  Unreadable: { status: 502 },
  WebPage: { status: 502 },
} as const satisfies Record<string, StorageErrorMeaning>

/** @param status of the storage server's answer */
export function storageErrorMeaning(code: string, status: number): StorageErrorMeaning {
  // The code comes from the server, so it may be `constructor`.
  const known: StorageErrorMeaning | undefined = Object.hasOwn(MEANINGS, code)
    ? MEANINGS[code as keyof typeof MEANINGS]
    : undefined
  return known ?? { status: status >= 400 && status < 500 && status !== 401 ? status : 502 }
}
