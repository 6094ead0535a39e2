import { type Endpoint, endpoints, type Input, type Operation, type Output } from '@stowage/contract'
import { address } from '../base.ts'
import { failureOf, type Send } from './send.ts'

/** The parts of a call, as far as the compiler need not know which call it is. */
interface Parts {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

interface CallOptions {
  signal?: AbortSignal | undefined
  /** Told how many bytes of the body have gone out, where the client's `send` can tell. */
  onProgress?: ((sent: number) => void) | undefined
}

export type CallInput<O extends Operation> = Input<O> & CallOptions

/** The address of a call below the base path, for links and forms. */
export function addressOf<O extends Operation>(operation: O, input: Omit<Input<O>, 'body'>): string {
  return fill(endpoints[operation], input as Parts)
}

function fill(endpoint: Endpoint, { params = {}, query = {} }: Parts): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) search.append(name, String(each))
  return address(search.size > 0 ? `${path}?${search}` : path)
}

const BODY_TYPES: Partial<Record<Endpoint['body'], string>> = {
  json: 'application/json',
  bytes: 'application/octet-stream',
}

export type Client = ReturnType<typeof createClient>

/**
 * The calls of the contract, sent in one way.
 * @param onLost called after an answer 401, and when the console cannot be reached
 */
export function createClient(send: Send, onLost: (why: 'expired' | 'unreachable') => void = () => {}) {
  /** @throws ApiFailure for a status that is no success, and with status 0 when no answer came; the signal's reason */
  async function open(endpoint: Endpoint, input: Parts & CallOptions, accept?: string): Promise<Response> {
    const { body, signal, onProgress } = input
    const headers = new Headers(accept ? { accept } : {})
    const type = BODY_TYPES[endpoint.body]
    if (type && body !== undefined) headers.set('content-type', type)
    const sent = endpoint.body === 'json' ? JSON.stringify(body) : (body as BodyInit | undefined)
    const request = { method: endpoint.method, headers, body: sent ?? null, signal, onProgress }
    const response = await send(fill(endpoint, input), request).catch((error: unknown) => {
      if (!signal?.aborted) onLost('unreachable')
      throw error
    })
    if (response.ok) return response
    if (response.status === 401 && endpoint.access === 'session') onLost('expired')
    throw await failureOf(response)
  }

  return {
    /** Makes a call and gives its answer. @throws as `open` */
    async call<O extends Operation>(operation: O, input: CallInput<O>): Promise<Output<O>> {
      // The contract's answer types are the server's to keep: its tests parse every answer.
      const text = await (await open(endpoints[operation], input as Parts & CallOptions)).text()
      return (text === '' ? undefined : JSON.parse(text)) as Output<O>
    },

    /** Makes a call whose answer comes as lines of JSON, and gives each as it arrives. @throws as `open` */
    async *callLines<O extends Operation>(operation: O, input: CallInput<O>): AsyncGenerator<Output<O>> {
      const response = await open(endpoints[operation], input as Parts & CallOptions, 'application/x-ndjson')
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
    },
  }
}
