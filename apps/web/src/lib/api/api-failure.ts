import { type ApiError, type Reason, valueReasons } from '@stowage/contract'
import { type Message, t } from '../text/i18n.ts'
import { knownReasons } from '../text/reasons.ts'

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns the text of a reason in the user's language; undefined if it is not known here. */
export function reasonText({ id, params = {} }: Reason): string | undefined {
  const text = knownReasons().get(id)
  if (text === undefined) return undefined
  // The extractor reads the texts of reasons from the contract, so `msg` is not needed here.
  if (typeof text !== 'string') {
    const forms = { one: text[0], other: text[1] }
    return t(forms, { ...params, count: Number(params.count) })
  }
  const message = text as Message
  return capitalise(t(message, params))
}

/** A failed call, with texts for the screens. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  /** The message of the response, or `Error {status}`. */
  readonly errorMessage: string
  /** Details; empty if they would only repeat the message. */
  readonly detailedError: string
  /** Why the console rejected the request: an ID from `reasons` of the contract. */
  readonly reason: string | undefined
  /** The error code of the storage server, such as `NoSuchBucket`. */
  readonly code: string | undefined
  /** The rejected field of the body, and the message to show at that field. */
  readonly field: string | undefined
  readonly fieldMessage: string
  readonly requestId: string | undefined
  /** Seconds to wait before a retry, from `Retry-After`. */
  readonly retryAfter: number | undefined
  /** When the error arrived, for finding it in a log. */
  readonly at = new Date()

  constructor(
    status: number,
    body: Partial<ApiError> | undefined,
    options: { cause?: unknown; retryAfter?: number } = {},
  ) {
    const { message, reason, detailedMessage = '', detailedReason } = body ?? {}
    const text = (reason && reasonText(reason)) ?? capitalise(message || t('Error {{status}}', { status: `${status}` }))
    // If the text is not shown at the field, it has to name the field.
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

/** Returns any thrown value as an `ApiFailure`. Other errors are bugs in the console; their message is shown unchanged. */
export function asFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error
  const message = error instanceof Error ? error.message : String(error)
  return new ApiFailure(0, { message }, { cause: error })
}
