import type { ApiError } from '@stowage/contract'
import { t } from './text/i18n.ts'

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A failed call, as screens show it. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** The message of the answer, or `Error {status}`. */
  readonly errorMessage: string
  /** More about it, empty when it only repeats the message. */
  readonly detailedError: string
  /** The storage server's own code, such as `NoSuchBucket`. */
  readonly code: string | undefined
  /** The field of the body that was refused. */
  readonly field: string | undefined
  readonly requestId: string | undefined
  /** Seconds to wait before another try, from `Retry-After`. */
  readonly retryAfter: number | undefined
  /** When it was told, for who looks it up in a log. */
  readonly at = new Date()

  constructor(
    status: number,
    body: Partial<ApiError> | undefined,
    options: { cause?: unknown; retryAfter?: number } = {},
  ) {
    const message = capitalise(body?.message || t('Error {{status}}', { status: String(status) }))
    super(message, { cause: options.cause })
    this.status = status
    this.errorMessage = message
    const detail = body?.detailedMessage ?? ''
    this.detailedError = detail === body?.message ? '' : capitalise(detail)
    this.code = body?.cause
    this.field = body?.field
    this.requestId = body?.requestId
    this.retryAfter = options.retryAfter
  }
}

/** Any thrown value as a failure: what is none was a mistake of this program, and is told as such. */
export function asFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error
  const message = error instanceof Error ? error.message : String(error)
  return new ApiFailure(0, { message }, { cause: error })
}
