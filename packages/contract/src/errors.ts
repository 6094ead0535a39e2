/** The body of every failed call. */
export interface ApiError {
  /** The HTTP status, except where a check of the body failed (then 602, 604 …, as the original counts them). */
  code: number
  /** For a person: what went wrong. */
  message: string
  /** The cause as the storage server told it, or the same text as `message`. */
  detailedMessage: string
  /** The storage server's own code, such as `NoSuchBucket`; absent when the console itself refused. */
  cause?: string
  /** The field of the request that was refused, as a path: `quota.amount`. */
  field?: string
  /** To find the call in the logs. */
  requestId?: string
}
