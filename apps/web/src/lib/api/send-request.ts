import type { ApiError } from '@stowage/contract'
import { t } from '../text/i18n.ts'
import { ApiFailure } from './api-failure.ts'

/** A request of the client. */
export interface SendRequest {
  method: string
  headers: Headers
  body: BodyInit | null
  signal: AbortSignal | undefined
  /** Called with the number of bytes of the body that have been sent. `fetch` never calls it. */
  onProgress: ((sent: number) => void) | undefined
}

/**
 * Sends a request and returns the response, whatever its status.
 * @throws ApiFailure with status 0 if there was no response, or the signal's reason
 */
export type SendFunction = (url: string, request: SendRequest) => Promise<Response>

export const fetchSend: SendFunction = async (url, { method, headers, body, signal }) => {
  try {
    return await fetch(url, { method, headers, body, signal: signal ?? null, credentials: 'same-origin' })
  } catch (error) {
    if (signal?.aborted) throw error
    throw unreachableFailure(error)
  }
}

export const unreachableFailure = (cause?: unknown) =>
  new ApiFailure(0, { message: t('The console cannot be reached') }, { cause })

/** Returns the error that a response contains. */
export async function responseFailure(response: Response): Promise<ApiFailure> {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const options = Number.isFinite(seconds) ? { retryAfter: seconds } : {}
  try {
    return new ApiFailure(response.status, (await response.json()) as Partial<ApiError>, options)
  } catch {
    // Not JSON: the response of a proxy. Its page is not useful to a user, and the status is enough.
    return new ApiFailure(response.status, undefined, options)
  }
}
