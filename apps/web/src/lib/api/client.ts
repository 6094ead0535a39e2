import type { Endpoint, Input, Operation, Output } from '@stowage/contract'
import { consoleAddress } from '../base-path.ts'
import { findEndpoint } from './load-endpoints.ts'
import { responseFailure, type SendFunction } from './send-request.ts'

/** The input of any call, for code that handles all calls alike. */
interface CallParts {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

interface CallOptions {
  signal?: AbortSignal | undefined
  /** Called with the number of bytes of the body that have been sent, if `send` supports it. */
  onProgress?: ((sent: number) => void) | undefined
}

export type CallInput<O extends Operation> = Input<O> & CallOptions

/** Returns the address of a call, relative to the base path. */
export function endpointAddress(endpoint: Endpoint, { params = {}, query = {} }: Omit<CallParts, 'body'>): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) search.append(name, String(each))
  return consoleAddress(search.size > 0 ? `${path}?${search}` : path)
}

const BODY_TYPES: Partial<Record<Endpoint['body'], string>> = {
  json: 'application/json',
  bytes: 'application/octet-stream',
}

export type ApiClient = ReturnType<typeof createApiClient>

/**
 * Creates a client for the calls of the contract.
 * @param onLost called after a 401 response, and if the console cannot be reached
 */
export function createApiClient(send: SendFunction, onLost: (why: 'expired' | 'unreachable') => void = () => {}) {
  /**
   * @throws ApiFailure for an error status, and with status 0 if there was no response; the signal's reason if it was aborted
   */
  async function open(endpoint: Endpoint, input: CallParts & CallOptions, accept?: string): Promise<Response> {
    const { body, signal, onProgress } = input
    const headers = new Headers(accept ? { accept } : {})
    const type = BODY_TYPES[endpoint.body]
    if (type && body !== undefined) headers.set('content-type', type)
    const sent = endpoint.body === 'json' ? JSON.stringify(body) : (body as BodyInit | undefined)
    const request = { method: endpoint.method, headers, body: sent ?? null, signal, onProgress }
    const response = await send(endpointAddress(endpoint, input), request).catch((error: unknown) => {
      if (!signal?.aborted) onLost('unreachable')
      throw error
    })
    if (response.ok) return response
    if (response.status === 401 && endpoint.access === 'session') onLost('expired')
    throw await responseFailure(response)
  }

  return {
    /** Makes a call and returns its result. @throws as `open` */
    async call<O extends Operation>(operation: O, input: CallInput<O>): Promise<Output<O>> {
      // The result is not validated here: the server's tests check every response against the contract.
      const text = await (await open(await findEndpoint(operation), input as CallParts & CallOptions)).text()
      return (text === '' ? undefined : JSON.parse(text)) as Output<O>
    },

    /** Makes a call that responds with bytes, and yields them as they arrive. @throws as `open`, and if they are cut off */
    async *callBytes<O extends Operation>(operation: O, input: CallInput<O>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      const response = await open(await findEndpoint(operation), input as CallParts & CallOptions)
      if (!response.body) return
      const reader = response.body.getReader()
      try {
        for (;;) {
          const { done, value } = await reader.read()
          if (done) return
          yield value
        }
      } finally {
        await reader.cancel().catch(() => undefined)
      }
    },

    /** Makes a call that responds with lines of JSON, and yields each as it arrives. @throws as `open` */
    async *callLines<O extends Operation>(operation: O, input: CallInput<O>): AsyncGenerator<Output<O>> {
      const response = await open(
        await findEndpoint(operation),
        input as CallParts & CallOptions,
        'application/x-ndjson',
      )
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
        // An early exit from the loop also cancels the call on the server. After the end there is nothing to cancel.
        await reader.cancel().catch(() => undefined)
      }
    },
  }
}
