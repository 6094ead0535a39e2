import type { Credentials } from '@stowage/sigv4'
import { MadminError } from './errors.ts'
import { failureOf } from './failure.ts'
import { type JsonStream, readJsonStream } from './json-stream.ts'
import { isSealed, open, seal } from './sealing.ts'
import { type Answer, type Call, type Connection, readFailure, send, sendForStream } from './send.ts'
import { isWebPage, webPageMessage } from './web-page.ts'

export interface TransportOptions extends Connection {
  readonly credentials: Credentials
  /** Aborts every call that has no own signal. */
  readonly signal?: AbortSignal | undefined
}

/** Taken by every call. */
export interface CallOptions {
  /** Ends the call; it fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface AdminCall extends CallOptions {
  readonly method: Call['method']
  /** Of the path; default `/minio/admin/v3/`. */
  readonly prefix?: string
  readonly path: string
  /** Undefined members are left out, lists are repeated. */
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as JSON sealed with the caller's secret key. */
  readonly sealed?: unknown
  /** Sent as it is, sealed with the caller's secret key. */
  readonly sealedText?: string
  /** Sent as it is. */
  readonly bytes?: Buffer
  /** Whether applying it twice is the same as once. Default: all but POST. */
  readonly idempotent?: boolean
}

export interface StreamCall extends AdminCall {
  /** How long the server may send nothing at all (ms). Default 30,000: servers send blanks more often. */
  readonly silenceMs?: number
  /** Longer records are passed over and counted as `LostRecords`. Default 8 MiB. */
  readonly maxRecordBytes?: number
}

/** The signed way to one storage server, as one identity. */
export interface Transport {
  /**
   * The parsed answer, opened when it was sealed; undefined when it is empty.
   * @throws MadminError when the server refuses; the network's own errors; SealingError when the answer cannot be opened
   */
  call(call: AdminCall): Promise<unknown>
  /** As `call`, for an answer that is text, with its headers. */
  text(call: AdminCall): Promise<{ text: string; headers: Answer['headers'] }>
  /** As `call`, for an answer that is neither text nor sealed. */
  bytes(call: AdminCall): Promise<Buffer>
  /**
   * The JSON values of an answer that goes on, each as it comes. Resolves when the server has accepted the call. Whatever
   * comes after that with a mark of failure is a value too: servers have no other way to tell it.
   * @throws as `call`
   */
  stream(call: StreamCall): Promise<JsonStream>
  /** An anonymous GET outside of the admin API, for its status and headers. */
  probe(path: string, options?: CallOptions): Promise<Pick<Answer, 'status' | 'headers'>>
}

/** Creates a transport; nothing is sent yet. */
export function createTransport(options: TransportOptions): Transport {
  const { credentials } = options
  const exchange = async (call: AdminCall): Promise<Answer> => {
    const signal = call.signal ?? options.signal
    const answer = await send(options, await signedCall({ ...call, signal }, credentials))
    if (answer.status < 200 || answer.status > 299) throw errorOf(answer)
    return answer
  }
  return {
    call: async (call) => readJson(await exchange(call), credentials.secretKey),
    async text(call) {
      const answer = await exchange(call)
      return { text: await readText(answer, credentials.secretKey), headers: answer.headers }
    },
    bytes: async (call) => (await exchange(call)).body,
    async stream({ silenceMs = 30_000, maxRecordBytes, ...call }) {
      const signal = call.signal ?? options.signal
      const answer = await sendForStream(
        { ...options, dispatcher: options.streamDispatcher ?? options.dispatcher },
        await signedCall({ ...call, signal }, credentials),
        silenceMs,
      )
      if (answer.status < 200 || answer.status > 299) throw errorOf(await readFailure(answer))
      const type = String(answer.headers['content-type'] ?? '')
      if (/html/i.test(type)) throw webPage(await readFailure(answer))
      return readJsonStream(answer.body, maxRecordBytes)
    },
    // Not repeated: for a health path, 503 is a valid answer.
    probe: (path, { signal = options.signal } = {}) =>
      send(options, { method: 'GET', path, idempotent: false, signal }),
  }
}

async function signedCall(call: AdminCall, credentials: Credentials): Promise<Call> {
  return {
    method: call.method,
    path: `${call.prefix ?? '/minio/admin/v3/'}${call.path}`,
    query: pairs(call.query),
    // Requests to the admin API are signed with an empty region; servers check it for S3 and STS only.
    sign: { credentials, region: '', service: 's3' },
    idempotent: call.idempotent ?? call.method !== 'POST',
    signal: call.signal,
    ...(await bodyOf(call, credentials.secretKey)),
  }
}

async function bodyOf(call: AdminCall, secretKey: string): Promise<Pick<Call, 'body' | 'contentType'>> {
  if (call.sealed !== undefined) {
    // Servers refuse to attach a policy with any other type.
    return { body: await seal(JSON.stringify(call.sealed), secretKey), contentType: 'application/octet-stream' }
  }
  if (call.sealedText !== undefined) {
    return { body: await seal(call.sealedText, secretKey), contentType: 'application/octet-stream' }
  }
  if (call.bytes !== undefined) return { body: call.bytes, contentType: 'application/octet-stream' }
  if (call.json === undefined) return {}
  return { body: Buffer.from(JSON.stringify(call.json)), contentType: 'application/json' }
}

function pairs(query: AdminCall['query'] = {}): [string, string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return []
    return typeof value === 'string' ? [[name, value]] : value.map((each) => [name, each])
  })
}

async function readJson(answer: Answer, secretKey: string): Promise<unknown> {
  const text = await readText(answer, secretKey)
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    const message = 'The answer is not JSON. Is this a storage server?'
    throw new MadminError({ code: '', message, status: answer.status }, { cause })
  }
}

/** Whether an answer is sealed is seen, not known: RustFS seals by the path that it is called with. */
async function readText({ body }: Answer, secretKey: string): Promise<string> {
  return (isSealed(body) ? await open(body, secretKey) : body).toString('utf8')
}

function webPage({ status, body }: Answer): MadminError {
  const text = body.toString('utf8')
  const message = isWebPage(text) ? webPageMessage(status) : 'The answer is not JSON. Is this a storage server?'
  return new MadminError({ code: 'WebPage', message, status })
}

function errorOf({ status, body }: Answer): MadminError {
  return new MadminError({ ...failureOf(status, body.toString('utf8')), status })
}
