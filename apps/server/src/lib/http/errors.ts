import type { ApiError } from '@stowage/contract'
import { type StorageError, storageErrorOf, unreachable } from '../storage/storage-errors.ts'
import { meaningOf } from '../storage/upstream-codes.ts'

/** A call that the console itself refuses; the message is for a person. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  constructor(
    readonly status: number,
    message: string,
    readonly more: {
      /** The cause in more words. */
      detail?: string
      /** The part of the request that is wrong, as a path: `quota.amount`. */
      field?: string
      /** The number in the body, where it is not the status (602 …). */
      code?: number
      headers?: Record<string, string | string[]>
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: more.cause })
  }
}

export interface ErrorAnswer {
  status: number
  headers: Record<string, string | string[]>
  body: ApiError
  /** Nobody expected this one: the log gets it with its stack. */
  unexpected: boolean
}

/** What a failure is answered with. Every way to fail comes by here. */
export function errorAnswer(error: unknown, requestId: string): ErrorAnswer {
  if (error instanceof Refusal) {
    const { detail, field, code, headers = {} } = error.more
    const refused = answer(error.status, error.message, detail, { requestId, ...(field ? { field } : {}) }, headers)
    return code === undefined ? refused : { ...refused, body: { ...refused.body, code } }
  }
  const told = storageErrorOf(error)
  if (told) return storageAnswer(told, requestId)
  const gone = unreachable(error)
  if (gone) {
    const status = gone.reason === 'refused' ? 503 : 502
    const message =
      status === 503 ? 'The storage server cannot be reached' : 'The connection to the storage server failed'
    return answer(status, message, gone.message, { requestId })
  }
  if (isFastifyError(error)) {
    const { status, message } = fastifyMeaning(error)
    return answer(status, message, undefined, { requestId })
  }
  return { ...answer(500, 'an error occurred, please try again', undefined, { requestId }), unexpected: true }
}

function storageAnswer(error: StorageError, requestId: string): ErrorAnswer {
  const { status, message } = meaningOf(error.code, error.status)
  const text = error.message.trim() || error.code
  return answer(status, message ?? text, text, { requestId, cause: error.code })
}

function answer(
  status: number,
  message: string,
  detail: string | undefined,
  more: Pick<ApiError, 'cause' | 'field' | 'requestId'>,
  headers: Record<string, string | string[]> = {},
): ErrorAnswer {
  return {
    status,
    headers,
    body: { code: status, message, detailedMessage: detail ?? message, ...more },
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

const FASTIFY_MESSAGES: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is too large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The body has a content type that this call does not read',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not JSON',
}

function fastifyMeaning(error: FastifyFailure): { status: number; message: string } {
  return { status: error.statusCode, message: FASTIFY_MESSAGES[error.code] ?? error.message }
}
