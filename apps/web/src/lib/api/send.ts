import type { ApiError } from '@stowage/contract'
import { ApiFailure } from '../failure.ts'
import { t } from '../text/i18n.ts'

/** A request as the client makes it. */
export interface SendRequest {
  method: string
  headers: Headers
  body: BodyInit | null
  signal: AbortSignal | undefined
  /** Told how many bytes of the body have gone out. `fetch` never calls it. */
  onProgress: ((sent: number) => void) | undefined
}

/**
 * Makes a request and gives the answer, whatever its status.
 * @throws ApiFailure with status 0 when no answer came, or the signal's reason
 */
export type Send = (url: string, request: SendRequest) => Promise<Response>

export const fetchSend: Send = async (url, { method, headers, body, signal }) => {
  try {
    return await fetch(url, { method, headers, body, signal: signal ?? null, credentials: 'same-origin' })
  } catch (error) {
    if (signal?.aborted) throw error
    throw unreachable(error)
  }
}

export const unreachable = (cause?: unknown) =>
  new ApiFailure(0, { message: t('The console cannot be reached') }, { cause })

/** The failure in an answer. */
export async function failureOf(response: Response): Promise<ApiFailure> {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const options = Number.isFinite(seconds) ? { retryAfter: seconds } : {}
  try {
    return new ApiFailure(response.status, (await response.json()) as Partial<ApiError>, options)
  } catch {
    // Not JSON: a proxy in between answered. Its page is no text for a user; the status says enough.
    return new ApiFailure(response.status, undefined, options)
  }
}
