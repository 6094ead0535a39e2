import type { Egress } from '@stowage/egress'

/** Stores, reads and deletes the objects of a tier. */
export interface TierDriver {
  /** @param size bytes @throws TierFailure, EgressError */
  put(object: string, size: number, body: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void>
  /** Reads `[start, end)` of an object. @throws TierFailure, EgressError */
  get(object: string, range: TierByteRange, signal?: AbortSignal): AsyncGenerator<Buffer, void, void>
  /** Deletes an object; not an error if it does not exist. @throws TierFailure, EgressError */
  remove(object: string, signal?: AbortSignal): Promise<void>
  /** Whether the tier contains no objects. @throws TierFailure, EgressError */
  isEmpty(signal?: AbortSignal): Promise<boolean>
  /** Returns the deployment ID that the server reports; undefined if it reports none. @throws EgressError */
  deploymentId?(signal?: AbortSignal): Promise<string | undefined>
}

/** `[start, end)` in bytes. */
export interface TierByteRange {
  start: number
  end: number
}

/** Location of a tier's objects, and the credentials for it. */
export interface TierLocation {
  /** `https://host:port` */
  endpoint: string
  /** For Azure, the container. */
  bucket: string
  prefix: string
  region: string
  /** For Azure the account name, for Google the e-mail address of the service account. */
  accessKey: string
  /** For Azure the account key. */
  secretKey: string
  /** For Google the key file in Base64. */
  creds?: string | undefined
  storageClass: string
}

/** The other server refused a request. */
export class TierFailure extends Error {
  override readonly name = 'TierFailure'
  constructor(
    /** The S3 code, such as `NoSuchBucket`, `NoSuchKey` or `InvalidAccessKeyId`; otherwise the code of the answer, or empty. */
    readonly code: string,
    readonly status: number,
  ) {
    super(code === '' ? `The server of the tier answered ${status}.` : `The server of the tier answered ${code}.`)
  }
}

type Dispatcher = Egress['dispatcher']
/** Returns a dispatcher for connections to addresses that users enter. */
export type GetDispatcher = () => Promise<Dispatcher>
type TierAnswer = Awaited<ReturnType<Dispatcher['request']>>

export interface TierHttpRequest {
  origin: string
  path: string
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  headers: Record<string, string>
  body?: AsyncIterable<Uint8Array> | Buffer | undefined
  signal?: AbortSignal | undefined
}

/** Sends a request through the guard of outgoing connections. @param codeOf returns the code of an error answer */
export async function sendTierRequest(
  dispatcher: GetDispatcher,
  { body, signal, ...call }: TierHttpRequest,
  readErrorCode: (text: string, headers: TierAnswer['headers']) => string,
): Promise<TierAnswer> {
  const answer = await (await dispatcher()).request({
    ...call,
    ...(body && { body: body as never }),
    ...(signal && { signal }),
  })
  if (answer.statusCode < 300) return answer
  const code = readErrorCode(await readTierText(answer.body), answer.headers)
  throw new TierFailure(code.slice(0, 64).replace(/[^\w.]/g, ''), answer.statusCode)
}

/** Yields exactly the bytes of the range, from an answer to a request for it. @throws TierFailure */
export async function* readTierRange(
  { body, statusCode }: TierAnswer,
  { start, end }: TierByteRange,
): AsyncGenerator<Buffer, void, void> {
  let left = end - start
  try {
    // A server that ignores the range sends the whole object.
    if (statusCode !== 206 && start > 0) throw new TierFailure('InvalidRange', statusCode)
    for await (const chunk of body as AsyncIterable<Buffer>) {
      const wanted = chunk.subarray(0, left)
      left -= wanted.length
      if (wanted.length > 0) yield wanted
      if (left === 0) break
    }
    if (left > 0) throw new TierFailure('IncompleteBody', statusCode)
  } finally {
    body.destroy()
  }
}

/** Returns the tier's prefix, to which the name of an object is appended. */
export function tierPrefix({ prefix }: TierLocation): string {
  return prefix === '' ? '' : prefix.replace(/\/*$/, '/')
}

/** Copies chunks, because a reader reuses their memory and a connection holds several. */
export async function* copyChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, void> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}

const MAX_TEXT = 64 * 1024

/** Returns an answer as text, limited to 64 KiB. */
export async function readTierText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_TEXT) break
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
