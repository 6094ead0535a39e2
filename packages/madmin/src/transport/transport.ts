import type { SigningCredentials } from '@stowage/sigv4'
import { isWebPage, webPageMessage } from '../formats/web-page.ts'
import { isSealedBody, openAdminBody, sealAdminBody } from '../sealing/sealing.ts'
import { type JsonStream, readJsonStream } from './json-stream.ts'
import type { AnswerCache } from './known-answers.ts'
import { MadminError } from './madmin-error.ts'
import { parseFailure } from './parse-failure.ts'
import {
  readFailedAnswer,
  type StorageAnswer,
  type StorageCall,
  type StorageConnection,
  sendCall,
  sendForStream,
} from './send.ts'

export interface TransportOptions extends StorageConnection {
  readonly credentials: SigningCredentials
  /** Aborts every call without its own signal. */
  readonly signal?: AbortSignal | undefined
  /** Default: no answer is kept. Use one only for the same server. */
  readonly known?: AnswerCache
}

/** Options of every call. */
export interface AdminCallOptions {
  /** Aborts the call, which then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface AdminCall extends AdminCallOptions {
  readonly method: StorageCall['method']
  /** Prefix of the path; default `/minio/admin/v3/`. */
  readonly prefix?: string
  readonly path: string
  /** Undefined members are left out, lists are repeated. */
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as JSON sealed with the caller's secret key. */
  readonly sealed?: unknown
  /** Sent unchanged, sealed with the caller's secret key. */
  readonly sealedText?: string
  /** Sent unchanged. */
  readonly bytes?: Buffer
  /** Whether repeating it has the same effect as sending it once. Default: all except POST. */
  readonly idempotent?: boolean
}

export interface StreamCall extends AdminCall {
  /** How long the server may send nothing at all (ms). Default 30,000: servers send spaces more often. */
  readonly silenceMs?: number
  /** Longer records are skipped and counted as `LostRecords`. Default 8 MiB. */
  readonly maxRecordBytes?: number
}

/** A signed connection to one storage server, with one identity. */
export interface Transport {
  /**
   * Sends a call and returns the parsed answer, opened if it was sealed; undefined if it is empty.
   * @throws MadminError if the server refuses it; network errors; SealingError if the answer cannot be opened
   */
  call(call: AdminCall): Promise<unknown>
  /**
   * Like `call`, for a long answer to a GET without query. Returns what `read` makes of it: the same object as long as the answer
   * is the same, so the caller must not alter it. A path must always have the same reader.
   */
  cachedCall<T>(path: string, read: (answer: unknown) => T, options?: AdminCallOptions): Promise<T>
  /** Like `call`, for a text answer, with its headers. */
  text(call: AdminCall): Promise<{ text: string; headers: StorageAnswer['headers'] }>
  /** Like `call`, for an answer that is neither text nor sealed. */
  bytes(call: AdminCall): Promise<Buffer>
  /**
   * Streams the JSON values of an endless answer. Resolves when the server has accepted the call. Later errors are values of
   * the stream too, because servers have no other way to report them.
   * @throws as `call`
   */
  stream(call: StreamCall): Promise<JsonStream>
  /** Sends an anonymous GET outside the admin API, for its status and headers. */
  probe(path: string, options?: AdminCallOptions): Promise<Pick<StorageAnswer, 'status' | 'headers'>>
}

/** Creates a transport; nothing is sent yet. */
export function createTransport(options: TransportOptions): Transport {
  const { credentials } = options
  const sendSigned = async (call: AdminCall, ifNoneMatch?: string): Promise<StorageAnswer> => {
    const signal = call.signal ?? options.signal
    return await sendCall(options, { ...(await signedCall({ ...call, signal }, credentials)), ifNoneMatch })
  }
  const exchange = async (call: AdminCall): Promise<StorageAnswer> => requireSuccess(await sendSigned(call))
  return {
    call: async (call) => readJson(await exchange(call), credentials.secretKey),
    async cachedCall<T>(path: string, read: (answer: unknown) => T, callOptions?: AdminCallOptions) {
      // Taken before the call: another caller may set a later answer while this one waits.
      const known = options.known?.get(path)
      const answer = await sendSigned({ method: 'GET', path, ...callOptions }, known?.etag)
      // A path has one reader, so a known value is what this one would return.
      if (known?.etag !== undefined && answer.status === 304) return known.value as T
      const text = await readText(requireSuccess(answer), credentials.secretKey)
      const same = known?.text === text
      const value = same ? (known.value as T) : read(parseAnswerJson(text, answer.status))
      const { etag } = answer.headers
      options.known?.set(path, { etag: typeof etag === 'string' ? etag : undefined, text, value })
      return value
    },
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
      if (answer.status < 200 || answer.status > 299) throw toMadminError(await readFailedAnswer(answer))
      const type = String(answer.headers['content-type'] ?? '')
      if (/html/i.test(type)) throw webPageError(await readFailedAnswer(answer))
      return readJsonStream(answer.body, maxRecordBytes)
    },
    // Not repeated: for a health path, 503 is a valid answer.
    probe: (path, { signal = options.signal } = {}) =>
      sendCall(options, { method: 'GET', path, idempotent: false, signal }),
  }
}

async function signedCall(call: AdminCall, credentials: SigningCredentials): Promise<StorageCall> {
  return {
    method: call.method,
    path: `${call.prefix ?? '/minio/admin/v3/'}${call.path}`,
    query: queryPairs(call.query),
    // Requests to the admin API are signed with an empty region; servers check it for S3 and STS only.
    sign: { credentials, region: '', service: 's3' },
    idempotent: call.idempotent ?? call.method !== 'POST',
    signal: call.signal,
    ...(await encodeBody(call, credentials.secretKey)),
  }
}

async function encodeBody(call: AdminCall, secretKey: string): Promise<Pick<StorageCall, 'body' | 'contentType'>> {
  if (call.sealed !== undefined) {
    // Servers refuse to attach a policy with any other type.
    return {
      body: await sealAdminBody(JSON.stringify(call.sealed), secretKey),
      contentType: 'application/octet-stream',
    }
  }
  if (call.sealedText !== undefined) {
    return { body: await sealAdminBody(call.sealedText, secretKey), contentType: 'application/octet-stream' }
  }
  if (call.bytes !== undefined) return { body: call.bytes, contentType: 'application/octet-stream' }
  if (call.json === undefined) return {}
  return { body: Buffer.from(JSON.stringify(call.json)), contentType: 'application/json' }
}

function queryPairs(query: AdminCall['query'] = {}): [string, string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return []
    return typeof value === 'string' ? [[name, value]] : value.map((each) => [name, each])
  })
}

async function readJson(answer: StorageAnswer, secretKey: string): Promise<unknown> {
  return parseAnswerJson(await readText(answer, secretKey), answer.status)
}

export function parseAnswerJson(text: string, status: number): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    const message = 'The answer is not JSON. Is this a storage server?'
    throw new MadminError({ code: '', message, status }, { cause })
  }
}

/** Detects a sealed answer by its content: RustFS seals depending on the path of the request. */
async function readText({ body }: StorageAnswer, secretKey: string): Promise<string> {
  return (isSealedBody(body) ? await openAdminBody(body, secretKey) : body).toString('utf8')
}

function webPageError({ status, body }: StorageAnswer): MadminError {
  const text = body.toString('utf8')
  const message = isWebPage(text) ? webPageMessage(status) : 'The answer is not JSON. Is this a storage server?'
  return new MadminError({ code: 'WebPage', message, status })
}

/** @throws MadminError for the answer of a refused call */
function requireSuccess(answer: StorageAnswer): StorageAnswer {
  if (answer.status < 200 || answer.status > 299) throw toMadminError(answer)
  return answer
}

function toMadminError({ status, body }: StorageAnswer): MadminError {
  return new MadminError({ ...parseFailure(status, body.toString('utf8')), status })
}
