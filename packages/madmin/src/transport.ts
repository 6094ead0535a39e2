import type { Credentials } from '@stowage/sigv4'
import { MadminError } from './errors.ts'
import { failureOf } from './failure.ts'
import { isSealed, open, seal } from './sealing.ts'
import { type Answer, type Call, type Connection, send } from './send.ts'

export interface TransportOptions extends Connection {
  readonly credentials: Credentials
  /** Ends every call that comes without a signal of its own. */
  readonly signal?: AbortSignal | undefined
}

/** Taken by every call. */
export interface CallOptions {
  /** Ends the call; it fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface AdminCall extends CallOptions {
  readonly method: Call['method']
  /** Below `/minio/admin/v3/`. */
  readonly path: string
  /** Undefined members are left out, lists are repeated. */
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as JSON sealed with the caller's secret key. */
  readonly sealed?: unknown
  /** Whether applying it twice is the same as once. Default: all but POST. */
  readonly idempotent?: boolean
}

/** The signed way to one storage server, as one identity. */
export interface Transport {
  /**
   * The parsed answer, opened when it was sealed; undefined when it is empty.
   * @throws MadminError when the server refuses; the network's own errors; SealingError when the answer cannot be opened
   */
  call(call: AdminCall): Promise<unknown>
  /** An anonymous GET outside of the admin API, for its status and headers. */
  probe(path: string, options?: CallOptions): Promise<Pick<Answer, 'status' | 'headers'>>
}

/** Opens the way; nothing is sent yet. */
export function createTransport(options: TransportOptions): Transport {
  const { credentials } = options
  return {
    async call(call) {
      const signal = call.signal ?? options.signal
      const answer = await send(options, await signedCall({ ...call, signal }, credentials))
      if (answer.status < 200 || answer.status > 299) throw errorOf(answer)
      return await read(answer, credentials.secretKey)
    },
    // Not repeated: a 503 is what a health path says, not a reason to ask again.
    probe: (path, { signal = options.signal } = {}) =>
      send(options, { method: 'GET', path, idempotent: false, signal }),
  }
}

async function signedCall(call: AdminCall, credentials: Credentials): Promise<Call> {
  return {
    method: call.method,
    path: `/minio/admin/v3/${call.path}`,
    query: pairs(call.query),
    // The admin API is signed for no region; servers compare it for S3 and STS only.
    sign: { credentials, region: '', service: 's3' },
    idempotent: call.idempotent ?? call.method !== 'POST',
    signal: call.signal,
    ...(await bodyOf(call, credentials.secretKey)),
  }
}

async function bodyOf(call: AdminCall, secretKey: string): Promise<Pick<Call, 'body' | 'contentType'>> {
  if (call.sealed !== undefined) {
    // Attaching a policy is refused with any other type.
    return { body: await seal(JSON.stringify(call.sealed), secretKey), contentType: 'application/octet-stream' }
  }
  if (call.json === undefined) return {}
  return { body: Buffer.from(JSON.stringify(call.json)), contentType: 'application/json' }
}

function pairs(query: AdminCall['query'] = {}): [string, string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return []
    return typeof value === 'string' ? [[name, value]] : value.map((each) => [name, each])
  })
}

async function read({ status, body }: Answer, secretKey: string): Promise<unknown> {
  // Whether an answer is sealed is seen, not known: RustFS seals by the path that it is called with.
  const text = (isSealed(body) ? await open(body, secretKey) : body).toString('utf8')
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new MadminError({ code: '', message: 'The answer is not JSON. Is this a storage server?', status }, { cause })
  }
}

function errorOf({ status, body }: Answer): MadminError {
  return new MadminError({ ...failureOf(status, body.toString('utf8')), status })
}
