import type { Readable } from 'node:stream'
import { encodePath, encodeQuery, type SigningKeys, signHeaders, UNSIGNED_PAYLOAD } from '@stowage/sigv4'
import type { Dispatcher } from 'undici'
import { UpstreamError } from '../errors/storage-errors.ts'
import { parseStorageXml, type XmlNode } from '../xml/storage-xml.ts'
import { BUFFERED_BYTES, type ContentAnswer, requestContent, streamedContent } from './direct-content.ts'
import { isFailedAnswer, refuseWebPage, toUpstreamError } from './s3-failure.ts'
import { SigningRegion } from './signing-region.ts'
import type { Upstream } from './upstream.ts'
import { readAnswerBody } from './whole-body.ts'

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
  /** The object's key, not normalized. */
  key?: string | undefined
  /** Arrays become repeated parameters. */
  query?: Record<string, string | readonly string[] | undefined>
  headers?: Record<string, string | undefined>
  /** A stream requires the header `content-length`. */
  body?: Buffer | string | AsyncIterable<Uint8Array>
  /** Timeout of the answer's headers (ms), if the default is too short. */
  headersTimeout?: number
}

/** Longer than the keep-alive interval that a listener requests. */
const SILENCE_MS = 30_000

export type S3Response = Dispatcher.ResponseData

/**
 * Signed S3 requests with streamed bodies: for content, which the SDK would buffer, for extensions of MinIO that the SDK does
 * not support, and for frequent reads, for which the SDK is too slow. URLs are path-style. Bodies are not signed, because
 * hashing would require buffering them first.
 */
export class S3Stream {
  constructor(
    private readonly upstream: Upstream,
    private readonly signer: Signer,
    private readonly keys: SigningKeys,
    /** Aborts every request. */
    private readonly signal?: AbortSignal,
    private readonly regions = new SigningRegion(),
  ) {}

  /** The region that the next request is signed for. */
  get region(): string {
    return this.regions.current(this.signer.region)
  }

  /**
   * Sends a request and returns its successful answer; the caller must read or destroy the body.
   * @throws UpstreamError with the code of the server's answer unless it is a success (304 counts as one)
   */
  async request(request: S3Request): Promise<S3Response> {
    return await this.#inRegion(request, () => this.#request(request, this.upstream.dispatcher))
  }

  /**
   * Sends a GET whose answer continues while the caller is connected, on a separate connection. The server sends something
   * every few seconds; the request fails if it is silent for too long.
   * @throws UpstreamError as `request`
   */
  async listen(request: Omit<S3Request, 'method' | 'body'>): Promise<S3Response> {
    const listening = { ...request, method: 'GET' } as const
    return await this.#inRegion(listening, () =>
      this.#request(listening, this.upstream.streamDispatcher, { bodyTimeout: SILENCE_MS }),
    )
  }

  /** Sends a request, and once more if the server names another region than the one that it was signed for. */
  async #inRegion<T>({ method, bucket, body }: S3Request, send: () => Promise<T>): Promise<T> {
    const used = this.region
    try {
      return await send()
    } catch (error) {
      // An answer to HEAD has no body that could name the region.
      const named = method === 'HEAD' && isBadRequest(error) ? await this.#regionRefusal(bucket) : error
      if (!this.regions.learn(named, used)) throw error
    }
    if (body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body)) {
      throw new UpstreamError('ServiceUnavailable', 'The region of the storage server has changed. Try again.', 503)
    }
    return await send()
  }

  async #regionRefusal(bucket: string): Promise<unknown> {
    try {
      const probe = { method: 'GET', bucket, query: { versioning: '' } } as const
      const answer = await this.#request(probe, this.upstream.dispatcher)
      await answer.body.dump()
      return undefined
    } catch (error) {
      return error
    }
  }

  async #request(
    request: S3Request,
    dispatcher: Dispatcher,
    options: Partial<Dispatcher.RequestOptions> = {},
  ): Promise<S3Response> {
    const { body, headersTimeout } = request
    const response = await dispatcher.request({
      origin: this.upstream.origin,
      ...this.#signed(request),
      highWaterMark: BUFFERED_BYTES,
      ...(body === undefined ? {} : { body }),
      ...(this.signal ? { signal: this.signal } : {}),
      ...(headersTimeout === undefined ? {} : { headersTimeout }),
      // Otherwise undici closes the connection after each HEAD, for servers that answer it with a body.
      ...(request.method === 'HEAD' ? { reset: false } : {}),
      ...options,
    } as Dispatcher.RequestOptions)
    if (isFailedAnswer(response)) throw toUpstreamError(response, await this.#failure(response.body))
    return response
  }

  /**
   * Sends a GET or HEAD whose body is forwarded to the caller.
   * @throws UpstreamError as `request`
   */
  async content(request: S3Request): Promise<ContentAnswer> {
    const { origin } = this.upstream
    if (origin.startsWith('https:')) return streamedContent(await this.request(request))
    const { timeouts, openSocket } = this.upstream
    return await this.#inRegion(request, async () => {
      const sent = { ...this.#signed(request), signal: this.signal }
      const content = await requestContent(new URL(origin), sent, timeouts, openSocket)
      if (isFailedAnswer(content)) throw toUpstreamError(content, await this.#failure(content.body))
      return content
    })
  }

  /**
   * Returns the whole body of a successful answer, for small answers.
   * @throws UpstreamError as `request`, and when the body is a proxy's page; as `readWholeBody`
   */
  async text(request: S3Request): Promise<string> {
    return (await this.whole(request)).text
  }

  /**
   * Returns the headers of a successful answer and discards its body.
   * @throws as `text`
   */
  async headers(request: S3Request): Promise<S3Response['headers']> {
    return (await this.whole(request)).headers
  }

  /**
   * Returns the body of an answer that may begin before the server knows whether the request succeeds, such as a copy's.
   * @throws as `text`, and UpstreamError if the body is an error
   */
  async result(request: S3Request): Promise<{ headers: S3Response['headers']; node: XmlNode | undefined }> {
    const { headers, text } = await this.whole(request)
    const { name, node } = parseStorageXml(text)
    if (name === 'Error') throw toUpstreamError({ statusCode: 500, headers }, text)
    return { headers, node }
  }

  /** Returns headers and body. @throws as `text` */
  async whole(request: S3Request): Promise<{ headers: S3Response['headers']; text: string }> {
    const response = await this.request(request)
    const text = (await readAnswerBody(response.body, false, this.upstream.timeouts)).toString()
    refuseWebPage(response, text)
    return { headers: response.headers, text }
  }

  async #failure(body: Readable): Promise<string> {
    return (await readAnswerBody(body, true, this.upstream.timeouts)).toString()
  }

  #signed({ method, bucket, key, query: wanted, headers: given }: S3Request) {
    const path = encodePath(key === undefined ? `/${bucket}` : `/${bucket}/${key}`)
    const query = encodeQuery(entries(wanted))
    const { accessKey, secretKey, sessionToken } = this.signer
    const { region } = this
    const { headers } = signHeaders(
      { method, path, query, headers: { host: new URL(this.upstream.origin).host, ...given } },
      { credentials: { accessKey, secretKey, sessionToken }, region, keys: this.keys, payloadHash: UNSIGNED_PAYLOAD },
    )
    // Passed separately from the origin, so that the path is not normalized: `a/../b` and `a//b` are different keys.
    return { method, path: query ? `${path}?${query}` : path, headers: { ...headers, ...this.upstream.headers } }
  }
}

const isBadRequest = (error: unknown) => error instanceof UpstreamError && error.status === 400

function entries(query: S3Request['query'] = {}): [string, string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return []
    return typeof value === 'string' ? [[name, value]] : value.map((each) => [name, each])
  })
}
