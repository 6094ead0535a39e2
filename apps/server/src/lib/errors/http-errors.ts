import { type ApiError, englishReason, type Reason, reason } from '@stowage/contract'
import { KubeError } from '@stowage/kube'
import { kubeErrorAnswer } from './kube-errors.ts'
import { findConnectionFailure, type StorageError, toStorageError } from './storage-errors.ts'
import { storageErrorMeaning } from './upstream-codes.ts'

interface HttpErrorOptions {
  /** The detailed cause: a reason, or the text of another program. */
  detail?: Reason | string
  /** The wrong field of the request, as a path: `quota.amount`. */
  field?: string
  /** The `code` in the body, if it differs from the status (602 …). */
  code?: number
  /** The English text, if other clients expect a different one from that of the reason. */
  message?: string
  headers?: Record<string, string | string[]>
  /** The stored value that a change was not based on; see `ApiError.present`. */
  present?: unknown
  cause?: unknown
}

/** An error with which the console itself answers. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  constructor(
    readonly status: number,
    readonly reason: Reason,
    readonly options: HttpErrorOptions = {},
  ) {
    super(options.message ?? englishReason(reason) ?? reason.id, { cause: options.cause })
  }
}

export interface HttpErrorAnswer {
  status: number
  headers: Record<string, string | string[]>
  body: ApiError
  /** Whether it is a bug in the console; it is then logged with its stack. */
  unexpected: boolean
}

/** Returns the answer to a failed call, for any error. */
export function errorAnswer(
  error: unknown,
  requestId: string,
  mode: 'storage' | 'operator' = 'storage',
): HttpErrorAnswer {
  if (error instanceof HttpError) return answerTo(error, requestId)
  const failure = toStorageError(error)
  if (failure) return storageAnswer(failure, requestId)
  if (error instanceof KubeError) return kubeErrorAnswer(error, requestId)
  const connection = findConnectionFailure(error)
  if (connection && mode === 'operator') {
    const refused = connection.reason === 'refused'
    const why = reason(refused ? 'cluster-unreachable' : 'cluster-connection-failed')
    return answerTo(new HttpError(refused ? 503 : 502, why, { detail: connection.message }), requestId)
  }
  if (connection) {
    const refused = connection.reason === 'refused'
    const why = reason(refused ? 'storage-unreachable' : 'storage-connection-failed')
    return answerTo(new HttpError(refused ? 503 : 502, why, { detail: connection.message }), requestId)
  }
  if (isFastifyError(error)) return fastifyAnswer(error, requestId)
  return { ...answerTo(new HttpError(500, reason('unexpected')), requestId), unexpected: true }
}

function answerTo({ status, message, reason, options }: HttpError, requestId: string): HttpErrorAnswer {
  const { detail, field, present, code = status, headers = {} } = options
  const detailed = detail === undefined || typeof detail === 'string' ? { text: detail } : { reason: detail }
  return {
    status,
    headers,
    body: {
      code,
      message,
      reason,
      detailedMessage: detailed.text ?? (detailed.reason && englishReason(detailed.reason)) ?? message,
      ...(detailed.reason ? { detailedReason: detailed.reason } : {}),
      ...(field ? { field } : {}),
      ...(present === undefined ? {} : { present }),
      requestId,
    },
    unexpected: false,
  }
}

function storageAnswer(error: StorageError, requestId: string): HttpErrorAnswer {
  const { status, reason } = storageErrorMeaning(error.code, error.status)
  const text = error.message.trim() || error.code
  const message = reason && englishReason(reason)
  return {
    status,
    headers: {},
    body: {
      code: status,
      message: message ?? text,
      ...(reason ? { reason } : {}),
      detailedMessage: text,
      requestId,
      cause: error.code,
    },
    unexpected: false,
  }
}

interface FastifyFailure {
  code: string
  statusCode: number
  message: string
}

function isFastifyError(error: unknown): error is FastifyFailure {
  return error instanceof Error && 'code' in error && 'statusCode' in error && String(error.code).startsWith('FST_')
}

const FASTIFY_REASONS: Readonly<Record<string, Reason>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: reason('body-over-limit'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: reason('body-type'),
  FST_ERR_CTP_INVALID_JSON_BODY: reason('body-not-json'),
}

function fastifyAnswer({ code, statusCode, message }: FastifyFailure, requestId: string): HttpErrorAnswer {
  const known = FASTIFY_REASONS[code]
  const answer = answerTo(new HttpError(statusCode, known ?? reason('unexpected')), requestId)
  if (known) return answer
  // Other errors of the framework (a malformed URL, a missing header) have their own text.
  const { reason: _, ...body } = answer.body
  return { ...answer, body: { ...body, message, detailedMessage: message } }
}
