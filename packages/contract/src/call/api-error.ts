import type { Reason } from '../reasons/value-reasons.ts'

/** The body of every failed call. */
export interface ApiError {
  /** The HTTP status, or a code such as 602 if validation of the body failed, as in the original console. */
  code: number
  /** What went wrong, in English, for the user. */
  message: string
  /** The same for translation; absent if the message is from the storage server. */
  reason?: Reason
  /** The message of the storage server, or the same text as `message`. */
  detailedMessage: string
  /** The same for translation, if the message is from the console. */
  detailedReason?: Reason
  /** The error code of the storage server, such as `NoSuchBucket`; absent if the console itself rejected the call. */
  cause?: string
  /** The stored value, if the call was based on another one (`before`) and therefore refused with 409. */
  present?: unknown
  /** The path of the rejected field in the request: `quota.amount`. */
  field?: string
  /** Identifies the call in the logs. */
  requestId?: string
}
