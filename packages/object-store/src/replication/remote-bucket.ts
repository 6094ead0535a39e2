import type { Readable } from 'node:stream'
import type { Egress } from '@stowage/egress'
import { EMPTY_SHA256, encodePath, encodeQuery, SigningKeys, signHeaders, UNSIGNED_PAYLOAD } from '@stowage/sigv4'
import { parseXml, xmlChildText } from '../lib/xml.ts'
import type { StoredRemoteTarget } from './remote-target-store.ts'

export type RemoteEgress = Pick<Egress, 'dispatcher'>

/** The other store refused a request, or did not answer. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
  constructor(
    /** S3's code, `Unreachable` without an answer, or the status if the answer has no code. */
    readonly code: string,
    message: string,
    /** Undefined without an answer. */
    readonly status: number | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

export interface RemoteRequest {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Undefined: a request about the bucket. */
  key?: string
  query?: readonly (readonly [name: string, value: string])[]
  headers?: Record<string, string>
  body?: Readable | Buffer
  /** Size of the body in bytes. */
  size?: number
  signal: AbortSignal
}

export interface RemoteAnswer {
  status: number
  headers: Readonly<Record<string, string | undefined>>
  text: string
}

type RemoteBucketAddress = Pick<
  StoredRemoteTarget,
  'endpoint' | 'secure' | 'targetBucket' | 'accessKey' | 'secretKey' | 'sessionToken' | 'region'
>

const MAX_ANSWER_BYTES = 1024 * 1024
const DEFAULT_REGION = 'us-east-1'

/** A client of a bucket on another store, over S3. */
export class RemoteBucket {
  readonly #keys = new SigningKeys()

  constructor(
    private readonly address: RemoteBucketAddress,
    private readonly egress: () => Promise<RemoteEgress>,
  ) {}

  /** @throws RemoteError, or the signal's reason */
  async send(request: RemoteRequest): Promise<RemoteAnswer> {
    const { method, body, signal } = request
    const { endpoint, secure } = this.address
    const origin = `${secure ? 'https' : 'http'}://${endpoint}`
    const path = encodePath(`/${this.address.targetBucket}${request.key === undefined ? '' : `/${request.key}`}`)
    const query = encodeQuery(request.query ?? [])
    const headers = this.#sign(request, path, query)
    try {
      const { dispatcher } = await this.egress()
      const answer = await dispatcher.request({
        origin,
        path: query === '' ? path : `${path}?${query}`,
        method,
        headers,
        body: body ?? null,
        signal,
      })
      const text = await readText(answer.body)
      const plain = Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
      )
      if (answer.statusCode >= 300) throw responseError(answer.statusCode, plain, text)
      return { status: answer.statusCode, headers: plain, text }
    } catch (error) {
      if (error instanceof RemoteError || signal.aborted) throw error
      const reason = error instanceof Error ? error.message : String(error)
      throw new RemoteError('Unreachable', `${endpoint}: ${reason}`, undefined, { cause: error })
    }
  }

  #sign({ method, headers = {}, body, size }: RemoteRequest, path: string, query: string): Record<string, string> {
    const { accessKey, secretKey, sessionToken, region, endpoint, secure } = this.address
    const host = endpoint.replace(secure ? /:443$/ : /:80$/, '')
    const signed = signHeaders(
      { method, path, query, headers: { ...headers, host } },
      {
        credentials: { accessKey, secretKey, ...(sessionToken !== '' && { sessionToken }) },
        region: region || DEFAULT_REGION,
        keys: this.#keys,
        payloadHash: body ? UNSIGNED_PAYLOAD : EMPTY_SHA256,
      },
    )
    return {
      ...signed.headers,
      'user-agent': 'Stowage',
      ...(body && { 'content-length': String(Buffer.isBuffer(body) ? body.length : (size ?? 0)) }),
    }
  }
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_ANSWER_BYTES) throw new RemoteError('TooLarge', 'The answer is too large.', undefined)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Messages for answers without a body, by code. */
const MESSAGES = new Map([
  [
    'RequestTimeTooSkewed',
    'The clocks of the two servers differ too much. Set the clock of this server or of the target.',
  ],
  ['InvalidAccessKeyId', 'The target does not know the access key.'],
  ['SignatureDoesNotMatch', 'The secret key is wrong.'],
  ['NoSuchBucket', 'The remote bucket does not exist.'],
])

/** Returns the error in an answer. Of the other store's text only code and message are used. */
function responseError(status: number, headers: RemoteAnswer['headers'], text: string): RemoteError {
  try {
    const root = parseXml(text, 'Error')
    const code = xmlChildText(root, 'Code')
    if (code) return new RemoteError(code, (xmlChildText(root, 'Message') ?? code).slice(0, 300), status)
  } catch {
    // An answer to HEAD has no body, and a proxy's is not XML.
  }
  const code = headers['x-minio-error-code'] ?? String(status)
  return new RemoteError(code, MESSAGES.get(code) ?? `The target answered with the status ${status}.`, status)
}
