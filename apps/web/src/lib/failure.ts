import { type ApiError, type Reason, type ReasonId, reasons, valueReasons } from '@stowage/contract'
import { type Message, t } from './text/i18n.ts'

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The text of a reason in the language of the console; undefined for one that this release does not know. */
export function reasonText({ id, params = {} }: Reason): string | undefined {
  if (!Object.hasOwn(reasons, id)) return undefined
  const text: string | readonly [string, string] = reasons[id as ReasonId]
  // The extractor takes the texts of reasons from the contract, so they need no mark here.
  if (typeof text !== 'string') {
    const forms = { one: text[0], other: text[1] }
    return t(forms, { ...params, count: Number(params.count) })
  }
  const message = text as Message
  return capitalise(t(message, params))
}

/** A failed call, as screens show it. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** The message of the answer, or `Error {status}`. */
  readonly errorMessage: string
  /** More about it, empty when it only repeats the message. */
  readonly detailedError: string
  /** Why the console refuses it: an id of the contract's `reasons`. */
  readonly reason: string | undefined
  /** The storage server's own code, such as `NoSuchBucket`. */
  readonly code: string | undefined
  /** The field of the body that was refused, and why: to be shown beside that field. */
  readonly field: string | undefined
  readonly fieldMessage: string
  readonly requestId: string | undefined
  /** Seconds to wait before another try, from `Retry-After`. */
  readonly retryAfter: number | undefined
  /** When the error arrived, to find it in a log. */
  readonly at = new Date()

  constructor(
    status: number,
    body: Partial<ApiError> | undefined,
    options: { cause?: unknown; retryAfter?: number } = {},
  ) {
    const { message, reason, detailedMessage = '', detailedReason } = body ?? {}
    const text = (reason && reasonText(reason)) ?? capitalise(message || t('Error {{status}}', { status: `${status}` }))
    // Shown anywhere else, the text has to name the field.
    const field = reason && Object.hasOwn(valueReasons, reason.id) ? body?.field : undefined
    const errorMessage = field === undefined ? text : t('{{field}}: {{problem}}', { field, problem: text })
    super(errorMessage, { cause: options.cause })
    this.status = status
    this.reason = reason?.id
    this.errorMessage = errorMessage
    this.fieldMessage = text
    const detail = detailedMessage === message ? '' : detailedMessage
    this.detailedError = (detailedReason && reasonText(detailedReason)) ?? capitalise(detail)
    this.code = body?.cause
    this.field = body?.field
    this.requestId = body?.requestId
    this.retryAfter = options.retryAfter
  }
}

/** Any thrown value as a failure. What is not an `ApiFailure` is a bug in the console: its message is shown as it is. */
export function asFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error
  const message = error instanceof Error ? error.message : String(error)
  return new ApiFailure(0, { message }, { cause: error })
}
