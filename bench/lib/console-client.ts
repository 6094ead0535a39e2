import { Agent, type Dispatcher } from 'undici'
import { noise } from './s3.ts'

/** How consoles differ from the specification of September 2021. */
interface Dialect {
  /** Paths are in Base64 (2021 to 2023). */
  readonly base64: boolean
  /** The prefix of an upload is its whole key, and the file name is ignored (later consoles). */
  readonly keyAsPrefix: boolean
  /** Limit of a listing, which is 20 by default in later consoles. */
  readonly limit: string | undefined
}

const DIALECTS: readonly Omit<Dialect, 'limit'>[] = [
  { base64: false, keyAsPrefix: false },
  { base64: false, keyAsPrefix: true },
  { base64: true, keyAsPrefix: false },
]

/** A client of the specification's calls, for any console of this family. */
export class ConsoleClient {
  readonly #agent = new Agent({ connections: 32, bodyTimeout: 0, headersTimeout: 600_000 })
  readonly #base: URL
  #cookie = ''
  #dialect: Dialect = { base64: false, keyAsPrefix: false, limit: undefined }

  constructor(
    readonly name: string,
    readonly url: string,
    private readonly login: { user: string; password: string },
  ) {
    this.#base = new URL(url.endsWith('/') ? url : `${url}/`)
  }

  async signIn(): Promise<void> {
    const { user, password } = this.login
    const response = await this.#send('POST', 'login', {
      // Like a page: a script would get a cookie that the browser of this bench cannot use.
      headers: { 'content-type': 'application/json', origin: this.#base.origin },
      body: JSON.stringify({ accessKey: user, secretKey: password }),
    })
    const text = await response.body.text()
    const cookies = [response.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';', 1)[0])
    const { sessionId } = text.startsWith('{') ? (JSON.parse(text) as { sessionId?: string }) : {}
    this.#cookie = cookies.length > 0 ? cookies.join('; ') : `token=${sessionId}`
  }

  /** Returns the cookies of this session in a browser. */
  get cookies(): { name: string; value: string; url: string }[] {
    return this.#cookie.split('; ').map((pair) => {
      const at = pair.indexOf('=')
      return { name: pair.slice(0, at), value: pair.slice(at + 1), url: this.#base.href }
    })
  }

  /** Reads a whole answer and returns its size in bytes. */
  async get(path: string): Promise<number> {
    const { body } = await this.#send('GET', path)
    let size = 0
    for await (const chunk of body) size += (chunk as Buffer).length // undici's bodies are buffers.
    return size
  }

  /** Detects how this console encodes paths, with an object of one byte. */
  async learn(bucket: string): Promise<void> {
    for (const dialect of DIALECTS) {
      this.#dialect = { ...dialect, limit: undefined }
      try {
        await this.upload(bucket, `probe-${this.name}`, 1)
        await this.download(bucket, `probe-${this.name}`, 1)
        return
      } catch {
        // Wrong encoding, try the next; if none works, transfers fail with a message.
      }
    }
  }

  /** Returns the number of objects in a page. */
  async list(bucket: string, query: Record<string, string>): Promise<number> {
    const { body } = await this.#send('GET', `buckets/${bucket}/objects?${this.#query(query)}`)
    return ((await body.json()) as { objects?: unknown[] | null }).objects?.length ?? 0
  }

  /** Lists all objects. @throws Error if the number is not as expected */
  async listAll(bucket: string, query: Record<string, string>, expected: number): Promise<void> {
    const { limit } = this.#dialect
    const objects = await this.list(bucket, { ...query, ...(limit !== undefined && { limit }) })
    if (objects === expected) return
    if (objects < expected && limit === undefined) {
      this.#dialect = { ...this.#dialect, limit: '1000000' }
      return await this.listAll(bucket, query, expected)
    }
    throw new Error(`${objects} objects came instead of ${expected}`)
  }

  async makeBucket(name: string): Promise<void> {
    const body = JSON.stringify({ name, versioning: false, locking: false })
    const response = await this.#send('POST', 'buckets', { headers: { 'content-type': 'application/json' }, body })
    await response.body.dump()
  }

  /** Uploads an object as the part of a form, streamed. */
  async upload(bucket: string, key: string, size: number): Promise<void> {
    const boundary = 'stowage-bench-boundary'
    // The original console reads the size from the part's name.
    const head = Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${size}"; filename="${key}"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n',
    )
    const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
    const query = this.#query({ prefix: this.#dialect.keyAsPrefix ? key : '' })
    const response = await this.#send('POST', `buckets/${bucket}/objects/upload?${query}`, {
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': String(head.length + size + tail.length),
      },
      body: form(head, size, tail),
    })
    await response.body.dump()
  }

  /** Downloads a whole object. @throws Error if it does not have this size */
  async download(bucket: string, key: string, size: number): Promise<void> {
    const read = await this.get(`buckets/${bucket}/objects/download?${this.#query({ prefix: key })}`)
    if (read !== size) throw new Error(`${read} bytes came instead of ${size}`)
  }

  close(): Promise<void> {
    return this.#agent.close()
  }

  #query({ prefix, ...rest }: Record<string, string>): string {
    const path = this.#dialect.base64 && prefix ? Buffer.from(prefix).toString('base64') : prefix
    return new URLSearchParams({ ...rest, ...(path !== undefined && { prefix: path }) }).toString()
  }

  async #send(
    method: 'GET' | 'POST',
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: string | AsyncIterable<Buffer> } = {},
  ): Promise<Dispatcher.ResponseData> {
    const response = await this.#agent.request({
      origin: this.#base.origin,
      path: `${this.#base.pathname}api/v1/${path}`,
      method,
      headers: { ...headers, ...(this.#cookie && { cookie: this.#cookie }) },
      body: body ?? null,
    } as Dispatcher.RequestOptions) // undici's types lack async iterables, which it supports.
    if (response.statusCode < 300) return response
    throw new Error(`${method} ${path}: ${response.statusCode} ${(await response.body.text()).slice(0, 200)}`)
  }
}

async function* form(head: Buffer, size: number, tail: Buffer): AsyncGenerator<Buffer> {
  yield head
  yield* noise(size)
  yield tail
}
