import type { Readable } from 'node:stream'
import { encodePath, encodeQuery, type SigningKeys, signHeaders, UNSIGNED_PAYLOAD } from '@stowage/sigv4'
import type { Dispatcher } from 'undici'
import { type Content, pipeBody, requestContent } from './direct-content.ts'
import { failureOf, isFailure, refuseHtml } from './s3-failure.ts'
import type { Upstream } from './upstream.ts'
import { readAnswer } from './whole-body.ts'

/** The credentials and region of signatures. */
export interface Signer {
  accessKey: string
  secretKey: string
  sessionToken: string
  region: string
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  bucket: string
  /** The object's key; it is not normalized. */
  key?: string | undefined
  /** Lists are repeated. */
  query?: Record<string, string | readonly string[] | undefined>
  headers?: Record<string, string | undefined>
  /** A stream needs `content-length` among the headers. */
  body?: Buffer | string | AsyncIterable<Uint8Array>
}

const BUFFERED = 512 * 1024
/** Longer than the pings that a listener asks for. */
const SILENCE_MS = 30_000

export type S3Response = Dispatcher.ResponseData

/**
 * Signed S3 requests whose bodies stream: for content, which the SDK would buffer, for extensions of MinIO that the SDK does
 * not support, and for frequent reads, for which the SDK is too slow. URLs are path-style. Bodies are not signed, because
 * they would have to be buffered to be hashed first.
 */
export class S3Stream {
  constructor(
    private readonly upstream: Upstream,
    private readonly signer: Signer,
    private readonly keys: SigningKeys,
    /** Aborts every request. */
    private readonly signal?: AbortSignal,
  ) {}

  /**
   * The answer of a request that succeeded; its body must be read or destroyed.
   * @throws UpstreamError with the code of the server's answer unless it is a success (304 counts as one)
   */
  async request(request: S3Request): Promise<S3Response> {
    return await this.#request(request, this.upstream.dispatcher)
  }

  /**
   * The answer of a GET that goes on for as long as the caller stays: it holds a connection, so it gets one of its own.
   * The server sends something every few seconds; one that is silent for long is given up.
   * @throws UpstreamError as `request`
   */
  async listen(request: Omit<S3Request, 'method' | 'body'>): Promise<S3Response> {
    return await this.#request({ ...request, method: 'GET' }, this.upstream.streamDispatcher, {
      bodyTimeout: SILENCE_MS,
    })
  }

  async #request(
    request: S3Request,
    dispatcher: Dispatcher,
    options: Partial<Dispatcher.RequestOptions> = {},
  ): Promise<S3Response> {
    const { body } = request
    const response = await dispatcher.request({
      origin: this.upstream.origin,
      ...this.#signed(request),
      // Larger than the default of 64 KiB, which wakes the reader a quarter more often.
      highWaterMark: BUFFERED,
      ...(body === undefined ? {} : { body }),
      ...(this.signal ? { signal: this.signal } : {}),
      ...options,
    } as Dispatcher.RequestOptions)
    if (isFailure(response)) throw failureOf(response, await this.#failure(response.body))
    return response
  }

  /**
   * The answer of a GET or HEAD whose body is forwarded to the caller.
   * @throws UpstreamError as `request`
   */
  async content(request: S3Request): Promise<Content> {
    const { origin } = this.upstream
    if (origin.startsWith('https:')) return encryptedContent(await this.request(request))
    const { timeouts } = this.upstream
    const content = await requestContent(new URL(origin), { ...this.#signed(request), signal: this.signal }, timeouts)
    if (isFailure(content)) throw failureOf(content, await this.#failure(content.body))
    return content
  }

  /**
   * The whole body of a successful answer, for answers that are small.
   * @throws UpstreamError as `request`, and when the body is a proxy's page; as `readWhole`
   */
  async text(request: S3Request): Promise<string> {
    return (await this.whole(request)).text
  }

  /**
   * The headers of a successful answer; its body is discarded.
   * @throws as `text`
   */
  async headers(request: S3Request): Promise<S3Response['headers']> {
    return (await this.whole(request)).headers
  }

  /** Both. @throws as `text` */
  async whole(request: S3Request): Promise<{ headers: S3Response['headers']; text: string }> {
    const response = await this.request(request)
    const text = (await readAnswer(response.body, false, this.upstream.timeouts)).toString()
    refuseHtml(response, text)
    return { headers: response.headers, text }
  }

  async #failure(body: Readable): Promise<string> {
    return (await readAnswer(body, true, this.upstream.timeouts)).toString()
  }

  #signed({ method, bucket, key, query: wanted, headers: given }: S3Request) {
    const path = encodePath(key === undefined ? `/${bucket}` : `/${bucket}/${key}`)
    const query = encodeQuery(entries(wanted))
    const { accessKey, secretKey, sessionToken, region } = this.signer
    const { headers } = signHeaders(
      { method, path, query, headers: { host: new URL(this.upstream.origin).host, ...given } },
      { credentials: { accessKey, secretKey, sessionToken }, region, keys: this.keys, payloadHash: UNSIGNED_PAYLOAD },
    )
    // Passed separately from the origin, the path is not normalized: `a/../b` and `a//b` are different keys.
    return { method, path: query ? `${path}?${query}` : path, headers: { ...headers, ...this.upstream.headers } }
  }
}

function entries(query: S3Request['query'] = {}): [string, string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return []
    return typeof value === 'string' ? [[name, value]] : value.map((each) => [name, each])
  })
}

/** For TLS, where bytes cannot be forwarded from socket to socket. */
function encryptedContent({ statusCode, headers, body }: S3Response): Content {
  return { statusCode, headers, body, sendTo: (target) => pipeBody(body, target) }
}
