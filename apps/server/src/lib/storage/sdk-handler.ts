import { encodeQuery } from '@stowage/sigv4'
import type { Dispatcher } from 'undici'
import { isFailedAnswer, refuseWebPage, toUpstreamError } from './s3-failure.ts'
import { REQUEST_ID_HEADER, type Upstream } from './upstream.ts'
import { readAnswerBody } from './whole-body.ts'

/** A signed request of the SDK. */
interface SdkRequest {
  method: Dispatcher.HttpMethod
  /** Encoded. */
  path: string
  query: Readonly<Record<string, string | string[] | null>>
  headers: Record<string, string>
  body?: string | Uint8Array
}

/** The options of `handle`. */
interface SdkOptions {
  abortSignal?: AbortSignal
  /** Timeout of the answer's headers, instead of the default (ms). */
  requestTimeout?: number
  /** ID of the caller's request. */
  requestId?: string
}

/**
 * Sends the SDK's signed requests over our connections, and reads whole answers. The SDK's own handler has no timeout for a
 * silent server, no size limit, and an unhelpful error if a proxy answers with a web page.
 */
export function createSdkHandler({ origin, dispatcher, timeouts }: Upstream) {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    /** @throws UpstreamError if the answer is an error or does not come from a storage server; errors of undici */
    async handle(request: SdkRequest, { abortSignal, requestTimeout, requestId }: SdkOptions = {}) {
      const { method, path, query, headers, body } = request
      const search = encodeQuery(queryPairs(query))
      const answer = await dispatcher.request({
        origin,
        method,
        path: search ? `${path}?${search}` : path,
        headers: requestId === undefined ? headers : { ...headers, [REQUEST_ID_HEADER]: requestId },
        body: body ?? null,
        headersTimeout: requestTimeout ?? timeouts.headMs,
        ...(abortSignal ? { signal: abortSignal } : {}),
      })
      const whole = await readAnswerBody(answer.body, isFailedAnswer(answer), timeouts)
      if (isFailedAnswer(answer)) throw toUpstreamError(answer, whole.toString())
      refuseWebPage(answer, whole.toString())
      return {
        response: { statusCode: answer.statusCode, headers: joinHeaders(answer.headers), body: new Uint8Array(whole) },
      }
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
  }
}

function queryPairs(query: SdkRequest['query']): [string, string][] {
  return Object.entries(query).flatMap(([name, value]) => [value ?? ''].flat().map((v): [string, string] => [name, v]))
}

function joinHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]))
}
