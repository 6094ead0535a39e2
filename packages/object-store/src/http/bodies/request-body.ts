import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { ChunkDecoder, EMPTY_SHA256 } from '@stowage/sigv4'
import type { Checksum, ChecksumAlgorithm, PutObjectOptions } from '../../engine/interface/types.ts'
import { S3Error } from '../../lib/errors.ts'
import type { StoreCall } from '../call/call.ts'
import {
  CHECKSUM_HEADERS,
  createHasher,
  decodeDigest,
  type ExpectedChecksum,
  expectedChecksum,
  requireChecksumDigest,
} from './checksums.ts'

/** A decoded body for the engine. */
export interface ReceivedRequestBody {
  stream: Readable
  /** Bytes without framing. */
  size: number
  /** Checks the received body against the checksums and length of the request; the engine calls it before anything is visible. */
  check: NonNullable<PutObjectOptions['check']>
}

export interface RequestBodyOptions {
  /** A checksum to compute even if the request carries none. */
  wanted?: ChecksumAlgorithm | undefined
  /** Whether the checksum headers describe an object, not the body of this request. */
  checksumsOfObject?: boolean
}

/**
 * Opens the body of a request to be stored. Removes the framing, checks chunk signatures and computes hashes while it is read.
 * @throws S3Error MissingContentLength, InvalidDigest, InvalidRequest
 */
export async function openRequestBody(
  call: StoreCall,
  { wanted, checksumsOfObject }: RequestBodyOptions = {},
): Promise<ReceivedRequestBody> {
  const { payload } = call.authentication
  const size = bodySize(call)
  const md5 = contentMd5(call)
  const expected = checksumsOfObject ? undefined : expectedChecksum(call)
  const algorithm = expected?.algorithm ?? wanted
  if (expected && wanted && expected.algorithm !== wanted) {
    throw new S3Error('InvalidRequest', `Checksum Type mismatch occurred, expected checksum Type: ${wanted}`)
  }
  const hasher = algorithm && (await createHasher(algorithm))
  const sha256 = payload.kind === 'hashed' ? createHash('sha256') : undefined
  const decoder = payload.kind === 'chunked' ? createDecoder(call, size) : undefined
  const stream = new RequestBody(call, decoder, (chunk) => {
    sha256?.update(chunk)
    hasher?.update(chunk)
  })
  return {
    stream,
    size,
    check: (received) => {
      if (payload.kind === 'hashed') checkSha256(sha256, payload.sha256)
      if (md5 !== undefined && md5 !== received.md5) {
        throw new S3Error('BadDigest', 'The Content-MD5 you specified did not match what we received.')
      }
      if (!hasher || !algorithm) return undefined
      return checkChecksum({ algorithm, value: hasher.digest(), type: 'FULL_OBJECT' }, expected, decoder)
    },
  }
}

function checkSha256(hash: Hash | undefined, expected: string): void {
  if (hash?.digest('hex') === expected) return
  throw new S3Error(
    'XAmzContentSHA256Mismatch',
    'The provided x-amz-content-sha256 header does not match what was computed.',
  )
}

function checkChecksum(computed: Checksum, expected: ExpectedChecksum | undefined, decoder?: ChunkDecoder): Checksum {
  if (!expected) return computed
  const header = CHECKSUM_HEADERS[computed.algorithm]
  const value = expected.value ?? decoder?.trailers[header]
  if (value === undefined) throw new S3Error('InvalidRequest', `The trailer ${header} is missing.`)
  if (requireChecksumDigest(computed.algorithm, value) === computed.value) return computed
  throw new S3Error(
    'XAmzContentChecksumMismatch',
    'The provided x-amz-checksum header does not match what was computed.',
  )
}

function bodySize(call: StoreCall): number {
  const framed = call.authentication.payload.kind === 'chunked'
  const text = call.header(framed ? 'x-amz-decoded-content-length' : 'content-length')
  if (text === undefined || !/^\d{1,15}$/.test(text)) {
    throw new S3Error('MissingContentLength', 'You must provide the Content-Length HTTP header.')
  }
  return Number(text)
}

/** Returns the `Content-MD5` in hexadecimal, like the engine. */
function contentMd5(call: StoreCall): string | undefined {
  const header = call.header('content-md5')
  if (header === undefined) return undefined
  const bytes = decodeDigest(header, 16)
  if (!bytes) throw new S3Error('InvalidDigest', 'The Content-MD5 you specified is not valid.')
  return bytes.toString('hex')
}

function createDecoder(call: StoreCall, decodedLength: number): ChunkDecoder {
  const { payload, seed } = call.authentication
  if (payload.kind !== 'chunked') throw new TypeError('the body has no chunks')
  const announced = call.header('x-amz-trailer') ?? ''
  const trailers = announced
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
  return new ChunkDecoder({
    decodedLength,
    ...(payload.signed && seed ? { seed } : {}),
    ...(payload.trailer ? { trailers } : {}),
  })
}

/**
 * The decoded bytes of a request. It is separate from the connection, so that a reader that stops early destroys this stream
 * and not the connection, on which the client still needs an answer.
 */
class RequestBody extends Readable {
  readonly #call: StoreCall
  readonly #source: Readable
  readonly #decoder: ChunkDecoder | undefined
  readonly #onChunk: (chunk: Buffer) => void

  constructor(call: StoreCall, decoder: ChunkDecoder | undefined, onChunk: (chunk: Buffer) => void) {
    super({ highWaterMark: 256 * 1024 })
    this.#call = call
    this.#decoder = decoder
    this.#source = decoder ?? call.request
    this.#onChunk = onChunk
    // A busy reader gets the error at its next read. Without a listener the error would end the process.
    this.on('error', () => undefined)
    call.request.on('error', this.#cut)
    call.request.on('close', this.#cut)
    if (decoder) {
      decoder.on('error', this.#fail)
      call.request.pipe(decoder)
    }
    this.#source.on('data', this.#take)
    this.#source.on('end', this.#finish)
  }

  readonly #take = (chunk: Buffer) => {
    this.#call.record.bytesIn += chunk.length
    this.#onChunk(chunk)
    if (!this.push(chunk)) this.#source.pause()
  }
  readonly #finish = () => {
    this.push(null)
  }
  readonly #fail = (error: Error) => {
    this.destroy(error)
  }
  readonly #cut = () => {
    if (this.#call.request.complete || this.readableEnded) return
    this.destroy(new S3Error('IncompleteBody', 'The request ended before its body was complete.'))
  }

  override _read(): void {
    // Only now: if a request is refused before its body is read, the client should not send it.
    this.#call.acceptBody()
    this.#source.resume()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { request } = this.#call
    request.off('error', this.#cut)
    request.off('close', this.#cut)
    this.#source.off('data', this.#take)
    this.#source.off('end', this.#finish)
    if (this.#decoder) {
      request.unpipe(this.#decoder)
      // The decoder may fail after its reader has stopped: nobody receives the error.
      this.#decoder.destroy()
    }
    done(error)
  }
}

/**
 * Reads a whole body that fits into memory, checked like any other.
 * @param limit bytes
 * @throws S3Error EntityTooLarge
 */
export async function readRequestBody(
  call: StoreCall,
  limit: number,
  options: RequestBodyOptions = {},
): Promise<Buffer> {
  if (!hasBody(call)) return emptyBody(call)
  const body = await openRequestBody(call, options)
  const bytes = await collectBody(call, body.stream, Math.min(limit, body.size), limit)
  await body.check({ size: bytes.length, md5: createHash('md5').update(bytes).digest('hex') })
  return bytes
}

/**
 * Reads a body before the caller is known, if the authentication needs it.
 * @throws S3Error EntityTooLarge, IncompleteBody, RequestTimeout, SlowDown
 */
export function readUnverifiedBody(call: StoreCall, limit: number): Promise<Buffer> {
  const announced = Number(call.header('content-length') ?? limit)
  const stream = new RequestBody(call, undefined, () => undefined)
  return collectWithinBudget(call, stream, Math.min(limit, announced), limit)
}

/** @param most maximum number of bytes according to the request */
function collectBody(call: StoreCall, stream: Readable, most: number, limit: number): Promise<Buffer> {
  return call.identity ? collectAll(stream, limit) : collectWithinBudget(call, stream, most, limit)
}

function collectWithinBudget(call: StoreCall, stream: Readable, most: number, limit: number): Promise<Buffer> {
  return call.store.bodies.read(call.record.remoteAddress, most, (signal) => {
    signal.addEventListener('abort', () => stream.destroy(signal.reason as Error))
    return collectAll(stream, limit)
  })
}

async function collectAll(stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    // A stream of bytes yields Buffers; only the type is `any`.
    const bytes = chunk as Buffer
    size += bytes.length
    if (size > limit) throw new S3Error('EntityTooLarge', `The body must not exceed ${limit} bytes.`)
    chunks.push(bytes)
  }
  const [first] = chunks
  return chunks.length === 1 && first ? first : Buffer.concat(chunks)
}

function hasBody({ request }: StoreCall): boolean {
  const length = request.headers['content-length']
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** Returns an empty body. Only valid if an empty body was signed. */
function emptyBody({ authentication: { payload } }: StoreCall): Buffer {
  if (payload.kind === 'hashed' && payload.sha256 !== EMPTY_SHA256) {
    throw new S3Error(
      'XAmzContentSHA256Mismatch',
      'The provided x-amz-content-sha256 header does not match what was computed.',
    )
  }
  return Buffer.alloc(0)
}
