import type { Readable } from 'node:stream'
import { encodePath, encodeQuery, type SigningKeys, signHeaders, UNSIGNED_PAYLOAD } from '@stowage/sigv4'
import type { Dispatcher } from 'undici'
import { type Content, requestContent, sendOn } from './direct-content.ts'
import { failureOf, isFailure, refuseHtml } from './s3-failure.ts'
import type { Upstream } from './upstream.ts'
import { readAnswer } from './whole-body.ts'

/** Who signs, and for which region. */
export interface Signer {
  accessKey: string
  secretKey: string
  sessionToken: string
  region: string
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  bucket: string
  /** The object's key, as it is; nothing in it is normalized. */
  key?: string | undefined
  query?: Record<string, string | undefined>
  headers?: Record<string, string | undefined>
  /** A stream needs `content-length` among the headers. */
  body?: Buffer | string | AsyncIterable<Uint8Array>
}

const BUFFERED = 512 * 1024

export type S3Response = Dispatcher.ResponseData

/**
 * Signed S3 requests whose bodies stream: for content, which the SDK would buffer, for extensions of MinIO that it
 * does not know, and for what is read so often that the SDK is too slow. Path-style addresses; bodies are sent unsigned, because they would have to be kept to be hashed first.
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
   * @throws UpstreamError with the code of the server's answer when it is no success (304 counts as one)
   */
  async request(request: S3Request): Promise<S3Response> {
    const { body } = request
    const response = await this.upstream.dispatcher.request({
      origin: this.upstream.origin,
      ...this.#signed(request),
      // Wakes the reader a fifth less often than the default of 64 KiB; a transfer may keep this much in memory.
      highWaterMark: BUFFERED,
      ...(body === undefined ? {} : { body }),
      ...(this.signal ? { signal: this.signal } : {}),
    } as Dispatcher.RequestOptions)
    if (isFailure(response)) throw failureOf(response, await this.#failure(response.body))
    return response
  }

  /**
   * The answer of a GET or HEAD whose body only goes on to the caller.
   * @throws UpstreamError as `request`
   */
  async content(request: S3Request): Promise<Content> {
    const { origin } = this.upstream
    if (origin.startsWith('https:')) return encryptedContent(await this.request(request))
    const { patience } = this.upstream
    const content = await requestContent(new URL(origin), { ...this.#signed(request), signal: this.signal }, patience)
    if (isFailure(content)) throw failureOf(content, await this.#failure(content.body))
    return content
  }

  /**
   * The whole body of a successful answer, for answers that are small.
   * @throws UpstreamError as `request`, and when the body is a proxy's page; as `readWhole`
   */
  async text(request: S3Request): Promise<string> {
    return (await this.#whole(request)).text
  }

  /**
   * The headers of a successful answer that has no body worth reading.
   * @throws as `text`
   */
  async headers(request: S3Request): Promise<S3Response['headers']> {
    return (await this.#whole(request)).headers
  }

  async #whole(request: S3Request): Promise<{ headers: S3Response['headers']; text: string }> {
    const response = await this.request(request)
    const text = (await readAnswer(response.body, false, this.upstream.patience)).toString()
    refuseHtml(response, text)
    return { headers: response.headers, text }
  }

  async #failure(body: Readable): Promise<string> {
    return (await readAnswer(body, true, this.upstream.patience)).toString()
  }

  #signed({ method, bucket, key, query: wanted, headers: given }: S3Request) {
    const path = encodePath(key === undefined ? `/${bucket}` : `/${bucket}/${key}`)
    const query = encodeQuery(entries(wanted))
    const { accessKey, secretKey, sessionToken, region } = this.signer
    const { headers } = signHeaders(
      { method, path, query, headers: { host: new URL(this.upstream.origin).host, ...given } },
      { credentials: { accessKey, secretKey, sessionToken }, region, keys: this.keys, payloadHash: UNSIGNED_PAYLOAD },
    )
    // Given apart from the origin, a path goes out as it is: `a/../b` and `a//b` are keys of their own.
    return { method, path: query ? `${path}?${query}` : path, headers: { ...headers, ...this.upstream.headers } }
  }
}

function entries(query: Record<string, string | undefined> = {}): [string, string][] {
  return Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
}

/** Through TLS, where bytes cannot go from socket to socket. */
function encryptedContent({ statusCode, headers, body }: S3Response): Content {
  return { statusCode, headers, body, sendTo: (target) => sendOn(body, target) }
}
