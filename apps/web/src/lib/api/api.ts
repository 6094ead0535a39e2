import { type ApiError, type Endpoint, endpoints, type Input, type Operation, type Output } from '@stowage/contract'
import { address } from '../base.ts'
import { ApiFailure } from '../failure.ts'
import { t } from '../text/i18n.ts'
import { loseSession } from './signed-out.ts'

export { ApiFailure, asFailure } from '../failure.ts'

/** The parts of a call, as far as the compiler need not know which call it is. */
interface Parts {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  signal?: AbortSignal | undefined
}

export type CallInput<O extends Operation> = Input<O> & { signal?: AbortSignal | undefined }

/** The address of a call below the base path, for `fetch`, links and forms. */
export function addressOf<O extends Operation>(operation: O, input: Omit<Input<O>, 'body'>): string {
  return fill(endpoints[operation], input as Parts)
}

function fill(endpoint: Endpoint, { params = {}, query = {} }: Parts): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return address(search.size > 0 ? `${path}?${search}` : path)
}

/**
 * Makes a call and gives its answer; the one way from the web app to the server.
 * @throws ApiFailure for every status that is no success, and with status 0 when no answer came
 * @throws DOMException AbortError when `signal` was aborted
 */
export async function call<O extends Operation>(operation: O, input: CallInput<O>): Promise<Output<O>> {
  // The contract's answer types are the server's to keep: its tests parse every answer.
  const text = await (await send(endpoints[operation], input as Parts)).text()
  return (text === '' ? undefined : JSON.parse(text)) as Output<O>
}

/** Makes a call whose answer comes as lines of JSON, and gives each as it arrives. */
export async function* callLines<O extends Operation>(operation: O, input: CallInput<O>): AsyncGenerator<Output<O>> {
  const response = await send(endpoints[operation], input as Parts, 'application/x-ndjson')
  if (!response.body) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      const lines = (rest + (value ?? '')).split('\n')
      rest = done ? '' : (lines.pop() ?? '')
      for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as Output<O>
      if (done) return
    }
  } finally {
    // Leaving early cancels the call on the server as well; after the end there is nothing to cancel.
    await reader.cancel().catch(() => undefined)
  }
}

async function send(endpoint: Endpoint, input: Parts, accept?: string): Promise<Response> {
  const { body } = input
  const headers = new Headers(accept ? { accept } : {})
  if (endpoint.body === 'json' && body !== undefined) headers.set('content-type', 'application/json')
  let response: Response
  try {
    response = await fetch(fill(endpoint, input), {
      method: endpoint.method,
      headers,
      body: body === undefined ? null : endpoint.body === 'json' ? JSON.stringify(body) : (body as BodyInit),
      signal: input.signal ?? null,
      credentials: 'same-origin',
    })
  } catch (error) {
    if (input.signal?.aborted) throw error
    loseSession('unreachable')
    throw new ApiFailure(0, { message: t('The console cannot be reached') }, { cause: error })
  }
  if (response.ok) return response
  if (response.status === 401 && endpoint.access === 'session') loseSession('expired')
  throw await failureOf(response)
}

/** The failure that an answer tells; also for answers that `fetch` did not bring (transfers use XMLHttpRequest). */
export async function failureOf(response: Response): Promise<ApiFailure> {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const options = Number.isFinite(seconds) ? { retryAfter: seconds } : {}
  try {
    return new ApiFailure(response.status, (await response.json()) as Partial<ApiError>, options)
  } catch {
    // Not JSON: a proxy in between answered. Its page is no text for a user; the status says enough.
    return new ApiFailure(response.status, undefined, options)
  }
}
