import type { Reason } from './reasons.ts'

/** The body of every failed call. */
export interface ApiError {
  /** The HTTP status, except where a check of the body failed (then 602, 604 …, as the original counts them). */
  code: number
  /** For a person: what went wrong, in English. */
  message: string
  /** The same for another language; absent where the words are the storage server's own. */
  reason?: Reason
  /** The storage server's own message, or the same text as `message`. */
  detailedMessage: string
  /** The same for another language, where the cause is one of the console's. */
  detailedReason?: Reason
  /** The storage server's own code, such as `NoSuchBucket`; absent when the console itself refused. */
  cause?: string
  /** The field of the request that was refused, as a path: `quota.amount`. */
  field?: string
  /** To find the call in the logs. */
  requestId?: string
}
