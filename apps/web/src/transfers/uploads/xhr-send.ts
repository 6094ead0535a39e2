import { type SendFunction, unreachableFailure } from '../../lib/api/send-request.ts'

/** XMLHttpRequest, because `fetch` does not report upload progress. */
export const xhrSend: SendFunction = (url, { method, headers, body, signal, onProgress }) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const xhr = new XMLHttpRequest()
    const abort = () => xhr.abort()
    signal?.addEventListener('abort', abort, { once: true })
    xhr.open(method, url)
    for (const [name, value] of headers) xhr.setRequestHeader(name, value)
    if (onProgress) xhr.upload.onprogress = (event) => onProgress(event.loaded)
    // A 204 response must have no body, not even an empty one.
    xhr.onload = () => resolve(new Response(xhr.responseText || null, { status: xhr.status }))
    xhr.onerror = () => reject(unreachableFailure())
    xhr.onabort = () => reject(signal?.reason)
    xhr.onloadend = () => signal?.removeEventListener('abort', abort)
    xhr.send(body as XMLHttpRequestBodyInit | null)
  })
