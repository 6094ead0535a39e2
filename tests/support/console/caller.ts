import { type ApiError, endpoints, type Input, type Operation, type Output } from '@stowage/contract'

export interface TestCallOptions {
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** A failed call, with the values that tests check. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  constructor(
    readonly status: number,
    readonly body: ApiError,
    readonly headers: Headers,
  ) {
    super(`${status} ${body.message}`)
  }
}

interface LooseInput {
  params?: Record<string, string | number>
  query?: Record<string, unknown>
  body?: unknown
}

/** An API client that is not a browser: it keeps the sealed session and sends it as a Bearer token. */
export class TestCaller {
  constructor(
    readonly url: string,
    public session?: string,
  ) {}

  async signIn(accessKey: string, secretKey: string): Promise<void> {
    const { sessionId } = await this.call('login', { body: { accessKey, secretKey } })
    this.session = sessionId
  }

  /** Returns the answer with the type of the contract; throws `CallFailure`. */
  async call<O extends Operation>(operation: O, input: Input<O>, options: TestCallOptions = {}): Promise<Output<O>> {
    const response = await this.send(operation, input, options)
    const text = await response.text()
    if (!response.ok) throw new CallFailure(response.status, parseApiError(text), response.headers)
    return (text === '' ? undefined : JSON.parse(text)) as Output<O>
  }

  /** Returns the raw answer of a call. */
  async send<O extends Operation>(operation: O, input: Input<O>, options: TestCallOptions = {}): Promise<Response> {
    const { method, path } = endpoints[operation]
    const { params = {}, query = {}, body } = input as LooseInput
    const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query))
      for (const each of Array.isArray(value) ? value : [value])
        if (each !== undefined) search.append(name, String(each))
    const raw = body instanceof FormData || body instanceof Uint8Array || body instanceof ReadableStream
    return await fetch(`${this.url}${filled}${search.size > 0 ? `?${search}` : ''}`, {
      method,
      headers: {
        ...(body !== undefined && !raw ? { 'content-type': 'application/json' } : {}),
        ...(this.session ? { authorization: `Bearer ${this.session}` } : {}),
        ...options.headers,
      },
      ...(body !== undefined ? { body: raw ? (body as BodyInit) : JSON.stringify(body) } : {}),
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
      ...(options.signal ? { signal: options.signal } : {}),
      redirect: 'manual',
    })
  }
}

/** Returns the failure of a call that must fail. */
export async function callFailure(run: Promise<unknown>): Promise<CallFailure> {
  return await run.then(
    () => {
      throw new Error('the call was accepted')
    },
    (failure: unknown) => {
      if (failure instanceof CallFailure) return failure
      throw failure
    },
  )
}

function parseApiError(text: string): ApiError {
  try {
    return JSON.parse(text) as ApiError
  } catch {
    return { code: 0, message: text, detailedMessage: text }
  }
}
