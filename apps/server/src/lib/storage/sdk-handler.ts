import { encodeQuery } from '@stowage/sigv4'
import type { Dispatcher } from 'undici'
import { failureOf, isFailure, refuseHtml } from './s3-failure.ts'
import type { Upstream } from './upstream.ts'
import { readAnswer } from './whole-body.ts'

/** A signed request, as the SDK hands it over. */
interface SdkRequest {
  method: Dispatcher.HttpMethod
  /** Encoded. */
  path: string
  query: Readonly<Record<string, string | string[] | null>>
  headers: Record<string, string>
  body?: string | Uint8Array
}

/** What a caller of `send` may give along. */
interface SdkOptions {
  abortSignal?: AbortSignal
  /** Instead of the usual time for the head of the answer, ms. */
  requestTimeout?: number
}

/**
 * Sends what the SDK has signed the way that all our requests go, and reads answers whole. The SDK's own handler lets a
 * server be silent for ever, reads without bound, and fails at a proxy's page with an error that tells nothing.
 */
export function sdkHandler({ origin, dispatcher, patience }: Upstream) {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    /** @throws UpstreamError when the answer is no success, or none of a storage server; undici's own errors */
    async handle(request: SdkRequest, { abortSignal, requestTimeout }: SdkOptions = {}) {
      const { method, path, query, headers, body } = request
      const search = encodeQuery(pairsOf(query))
      const answer = await dispatcher.request({
        origin,
        method,
        path: search ? `${path}?${search}` : path,
        headers,
        body: body ?? null,
        headersTimeout: requestTimeout ?? patience.headMs,
        ...(abortSignal ? { signal: abortSignal } : {}),
      })
      const whole = await readAnswer(answer.body, isFailure(answer), patience)
      if (isFailure(answer)) throw failureOf(answer, whole.toString())
      refuseHtml(answer, whole.toString())
      return {
        response: { statusCode: answer.statusCode, headers: flat(answer.headers), body: new Uint8Array(whole) },
      }
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
  }
}

function pairsOf(query: SdkRequest['query']): [string, string][] {
  return Object.entries(query).flatMap(([name, value]) => [value ?? ''].flat().map((v): [string, string] => [name, v]))
}

function flat(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]))
}
