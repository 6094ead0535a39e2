import { encodePath, encodeQuery, type SigningKeys, signHeaders, UNSIGNED_PAYLOAD } from '@stowage/sigv4'
import type { Dispatcher } from 'undici'
import { type Content, requestContent, sendOn } from './direct-content.ts'
import type { Egress } from './egress.ts'
import { UpstreamError } from './storage-errors.ts'
import { readXml, textOf } from './xml.ts'

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
  signal?: AbortSignal
}

const BUFFERED = 512 * 1024

export type S3Response = Dispatcher.ResponseData

/**
 * Signed S3 requests whose bodies stream, for everything that the SDK would buffer, and for the extensions of MinIO
 * that it does not know. Path-style addresses; bodies are sent unsigned, because hashing them first would mean to
 * keep them.
 */
export class S3Wire {
  constructor(
    private readonly egress: Egress,
    private readonly signer: Signer,
    private readonly keys: SigningKeys,
  ) {}

  /**
   * The answer of a request that succeeded; its body must be read or destroyed.
   * @throws UpstreamError with the code of the server's answer when it is no success (304 counts as one)
   */
  async request(request: S3Request): Promise<S3Response> {
    const { body, signal } = request
    const response = await this.egress.dispatcher.request({
      origin: this.egress.origin,
      ...this.#signed(request),
      // Wakes the reader a fifth less often than the default of 64 KiB; a transfer may keep this much in memory.
      highWaterMark: BUFFERED,
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    } as Dispatcher.RequestOptions)
    if (isFailure(response)) throw failureOf(response, await response.body.text())
    return response
  }

  /**
   * The answer of a GET or HEAD whose body only goes on to the caller.
   * @throws UpstreamError as `request`
   */
  async content(request: S3Request): Promise<Content> {
    const { origin } = this.egress
    if (origin.startsWith('https:')) return encryptedContent(await this.request(request))
    const content = await requestContent(new URL(origin), { ...this.#signed(request), signal: request.signal })
    if (isFailure(content)) throw failureOf(content, await content.text())
    return content
  }

  /** The whole body of a successful answer, for answers that are small. */
  async text(request: S3Request): Promise<string> {
    const response = await this.request(request)
    return await response.body.text()
  }

  #signed({ method, bucket, key, query: wanted, headers: given }: S3Request) {
    const path = encodePath(key === undefined ? `/${bucket}` : `/${bucket}/${key}`)
    const query = encodeQuery(entries(wanted))
    const { accessKey, secretKey, sessionToken, region } = this.signer
    const { headers } = signHeaders(
      { method, path, query, headers: { host: new URL(this.egress.origin).host, ...given } },
      { credentials: { accessKey, secretKey, sessionToken }, region, keys: this.keys, payloadHash: UNSIGNED_PAYLOAD },
    )
    // Given apart from the origin, a path goes out as it is: `a/../b` and `a//b` are keys of their own.
    return { method, path: query ? `${path}?${query}` : path, headers: { ...headers, ...this.egress.headers } }
  }
}

function entries(query: Record<string, string | undefined> = {}): [string, string][] {
  return Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
}

/** Through TLS, where bytes cannot go from socket to socket. */
function encryptedContent({ statusCode, headers, body }: S3Response): Content {
  return { statusCode, headers, text: () => body.text(), sendTo: (target) => sendOn(body, target) }
}

function isFailure({ statusCode }: { statusCode: number }): boolean {
  return statusCode >= 300 && statusCode !== 304
}

function failureOf({ statusCode: status, headers }: Pick<S3Response, 'statusCode' | 'headers'>, text: string) {
  // An answer to HEAD has no body; servers of this family put code and text into headers then.
  const code = headers['x-minio-error-code']
  const description = headers['x-minio-error-desc']
  if (typeof code === 'string') return new UpstreamError(code, String(description ?? '').replace(/^"|"$/g, ''), status)
  const error = text.trimStart().startsWith('<') ? readXml(text).Error : undefined
  return new UpstreamError(
    textOf(error, 'Code') || codeOfStatus(status),
    textOf(error, 'Message') || `The storage server answered ${status}`,
    status,
    textOf(error, 'Region') || undefined,
  )
}

function codeOfStatus(status: number): string {
  if (status === 404) return 'NoSuchKey'
  if (status === 403) return 'AccessDenied'
  if (status === 416) return 'InvalidRange'
  if (status === 412) return 'PreconditionFailed'
  return status === 503 ? 'ServiceUnavailable' : 'UnknownError'
}
