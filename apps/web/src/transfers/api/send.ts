import { failureOf } from '../../lib/api/api.ts'
import { ApiFailure } from '../../lib/failure.ts'
import { t } from '../../lib/text/i18n.ts'

export interface SendRequest {
  method: string
  /** An address of the console, as `addressOf` gives it. */
  url: string
  body?: Blob | FormData | string
  contentType?: string
  signal: AbortSignal
  /** How much of the body has gone out, in bytes from its start. */
  onProgress?: (sent: number) => void
}

/**
 * Makes one call and gives the answer's text.
 * @throws ApiFailure, or the signal's reason
 */
export type Send = (request: SendRequest) => Promise<string>

/** XMLHttpRequest, because `fetch` tells nothing of an upload's progress. */
export const xhrSend: Send = ({ method, url, body, contentType, signal, onProgress }) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const xhr = new XMLHttpRequest()
    const abort = () => xhr.abort()
    signal.addEventListener('abort', abort, { once: true })
    xhr.open(method, url)
    if (contentType) xhr.setRequestHeader('Content-Type', contentType)
    if (onProgress) xhr.upload.onprogress = (event) => onProgress(event.loaded)
    xhr.onload = () => {
      if (xhr.status >= 200 && xhr.status < 300) resolve(xhr.responseText)
      else failureOf(new Response(xhr.responseText, { status: xhr.status })).then(reject, reject)
    }
    xhr.onerror = () => reject(new ApiFailure(0, { message: t('The console cannot be reached') }))
    xhr.onabort = () => reject(signal.reason)
    xhr.onloadend = () => signal.removeEventListener('abort', abort)
    xhr.send(body ?? null)
  })
