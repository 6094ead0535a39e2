import { createHash } from 'node:crypto'
import { encodePath, encodeQuery, SigningKeys, signHeaders, UNSIGNED_PAYLOAD } from '@stowage/sigv4'
import { Agent, type Dispatcher } from 'undici'

export interface S3Call {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** `/bucket/key`, not encoded. */
  readonly path: string
  readonly query?: Record<string, string>
  readonly headers?: Record<string, string>
  readonly body?: Buffer | (() => AsyncIterable<Uint8Array>)
  /** Size in bytes, for a streamed body. */
  readonly length?: number
}

/** Signed S3 requests with minimal overhead, so that the server is measured. */
export class S3 {
  readonly #keys = new SigningKeys()
  readonly #agent = new Agent({ connections: 64, bodyTimeout: 0, headersTimeout: 600_000 })

  constructor(
    readonly endpoint: string,
    private readonly credentials: { accessKey: string; secretKey: string },
  ) {}

  /** @throws Error with the server's answer if it is not a success */
  async send({ method, path, query = {}, headers: more, body, length }: S3Call): Promise<Dispatcher.ResponseData> {
    const { origin, host } = new URL(this.endpoint)
    const request = {
      method,
      path: encodePath(path),
      query: encodeQuery(Object.entries(query)),
      headers: { host, ...more },
    }
    const { headers } = signHeaders(request, {
      credentials: this.credentials,
      region: 'us-east-1',
      keys: this.#keys,
      payloadHash: typeof body === 'function' ? UNSIGNED_PAYLOAD : sha256(body ?? ''),
    })
    if (length !== undefined) headers['content-length'] = String(length)
    const response = await this.#agent.request({
      origin,
      method,
      path: request.query ? `${request.path}?${request.query}` : request.path,
      headers,
      body: typeof body === 'function' ? body() : (body ?? null),
    } as Dispatcher.RequestOptions) // undici's types lack async iterables, which it supports.
    if (response.statusCode < 300) return response
    throw new Error(`${method} ${path}: ${response.statusCode} ${(await response.body.text()).slice(0, 300)}`)
  }

  /** Sends a request and discards the answer. */
  async done(call: S3Call): Promise<void> {
    const { body } = await this.send(call)
    for await (const _ of body);
  }

  async text(call: S3Call): Promise<string> {
    return await (await this.send(call)).body.text()
  }

  /** Runs work with many clients at once: `work(i)` for each i below `count`. */
  static async parallel(clients: number, count: number, work: (i: number) => Promise<void>): Promise<void> {
    let next = 0
    const client = async () => {
      while (next < count) await work(next++)
    }
    await Promise.all(Array.from({ length: clients }, client))
  }

  close(): Promise<void> {
    return this.#agent.close()
  }
}

/** Yields incompressible bytes, repeated. */
export async function* noise(size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0; left -= BLOCK.length) yield left < BLOCK.length ? BLOCK.subarray(0, left) : BLOCK
}

const BLOCK = Buffer.concat(Array.from({ length: 8192 }, (_, i) => createHash('sha256').update(String(i)).digest()))

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex')
}
