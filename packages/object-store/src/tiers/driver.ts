import type { Egress } from '@stowage/egress'

/** Where the objects of a tier are put, got and removed. */
export interface TierDriver {
  /** @param size bytes @throws TierFailure, EgressError */
  put(object: string, size: number, body: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void>
  /** `[start, end)` of an object. @throws TierFailure, EgressError */
  get(object: string, range: ByteRange, signal?: AbortSignal): AsyncGenerator<Buffer, void, void>
  /** Does not fail for an object that is gone. @throws TierFailure, EgressError */
  remove(object: string, signal?: AbortSignal): Promise<void>
  /** Whether anything is there. @throws TierFailure, EgressError */
  isEmpty(signal?: AbortSignal): Promise<boolean>
}

/** `[start, end)` in bytes. */
export interface ByteRange {
  start: number
  end: number
}

/** Where a tier keeps its objects, and the credentials for it. */
export interface TierPlace {
  /** `https://host:port` */
  endpoint: string
  /** Of Azure the container. */
  bucket: string
  prefix: string
  region: string
  /** Of Azure the name of the account, of Google the e-mail address of the service account. */
  accessKey: string
  /** Of Azure the key of the account. */
  secretKey: string
  /** Of Google: the key file as Base64. */
  creds?: string | undefined
  storageClass: string
}

/** The other server refused. */
export class TierFailure extends Error {
  override readonly name = 'TierFailure'
  constructor(
    /** In the words of S3: `NoSuchBucket`, `NoSuchKey`, `InvalidAccessKeyId`; else those of the answer, or empty. */
    readonly code: string,
    readonly status: number,
  ) {
    super(code === '' ? `The server of the tier answered ${status}.` : `The server of the tier answered ${code}.`)
  }
}

type Dispatcher = Egress['dispatcher']
/** The way to addresses that people type. */
export type GetDispatcher = () => Promise<Dispatcher>
type Answer = Awaited<ReturnType<Dispatcher['request']>>

export interface HttpCall {
  origin: string
  path: string
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  headers: Record<string, string>
  body?: AsyncIterable<Uint8Array> | Buffer | undefined
  signal?: AbortSignal | undefined
}

/** Makes a call past the guard of outgoing calls. @param codeOf the code of an answer that is no success */
export async function sendTo(
  dispatcher: GetDispatcher,
  { body, signal, ...call }: HttpCall,
  codeOf: (text: string, headers: Answer['headers']) => string,
): Promise<Answer> {
  const answer = await (await dispatcher()).request({
    ...call,
    ...(body && { body: body as never }),
    ...(signal && { signal }),
  })
  if (answer.statusCode < 300) return answer
  const code = codeOf(await textOf(answer.body), answer.headers)
  throw new TierFailure(code.slice(0, 64).replace(/[^\w.]/g, ''), answer.statusCode)
}

/** Exactly the bytes of the range, from an answer to a request for it. @throws TierFailure */
export async function* readRange(
  { body, statusCode }: Answer,
  { start, end }: ByteRange,
): AsyncGenerator<Buffer, void, void> {
  let left = end - start
  try {
    // A server that ignores the range sends the whole.
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

/** The name of an object below the prefix of its tier. */
export function prefixOf({ prefix }: TierPlace): string {
  return prefix === '' ? '' : prefix.replace(/\/*$/, '/')
}

/** A reader uses the memory of its chunks again, and a connection keeps several. */
export async function* copied(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, void> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}

const MAX_TEXT = 64 * 1024

/** An answer as text; what is longer than 64 KiB is cut off. */
export async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_TEXT) break
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
