import { Transform, type TransformCallback } from 'node:stream'
import { ChunkChain, TRAILER_SIGNATURE } from './chunks.ts'
import type { SignatureSeed } from './sign.ts'
import { SignatureError } from './signature-error.ts'
import { isSameSignature } from './signing-key.ts'

/** A signed chunk is kept in memory until its signature is checked, so its size is limited. */
export const MAX_SIGNED_CHUNK_BYTES = 16 * 1024 * 1024
const MAX_CHUNK_LINE_BYTES = 1024
const MAX_TRAILER_BYTES = 16 * 1024
const LF = 0x0a
const CR = 0x0d

export interface ChunkDecoderOptions {
  /** `x-amz-decoded-content-length`, bytes. */
  readonly decodedLength: number
  /** The result of `verifyRequest`; without it, chunks must be unsigned. */
  readonly seed?: SignatureSeed
  /** Lower-case names of `x-amz-trailer`; these and no others must follow. Absent: the form without trailers. */
  readonly trailers?: readonly string[]
}

type State = 'line' | 'data' | 'separator' | 'trailer'

/**
 * Decodes an `aws-chunked` body. Bytes of a signed chunk are passed on after its signature was checked, unsigned ones
 * immediately and without copies. `trailers` is filled before the stream ends.
 *
 * Fails with SignatureError: SignatureDoesNotMatch (a chunk or the trailers), IncompleteBody (ends early, or another
 * length than announced), InvalidRequest (framing), MalformedTrailerError.
 */
export class ChunkDecoder extends Transform {
  /** Checked trailers by lower-case name, without their signature. */
  readonly trailers: Record<string, string> = {}
  readonly #options: ChunkDecoderOptions
  readonly #chain: ChunkChain | undefined
  #state: State = 'line'
  /** The unfinished chunk line, or the trailers so far. */
  #text = ''
  /** Bytes of the current chunk still to come. */
  #left = 0
  #decoded = 0
  #chunkSignature = ''
  #held: Buffer[] = []

  constructor(options: ChunkDecoderOptions) {
    super()
    this.#options = options
    this.#chain = options.seed && new ChunkChain(options.seed)
  }

  override _transform(input: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    try {
      let at = 0
      while (at < input.length) at = this.#take(input, at)
      done()
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  }

  override _flush(done: TransformCallback): void {
    try {
      this.#finish()
      done()
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** Consumes some input from `at` on and returns the position after it. */
  #take(input: Buffer, at: number): number {
    switch (this.#state) {
      case 'data':
        return this.#takeData(input, at)
      case 'line':
        return this.#takeLine(input, at)
      case 'separator':
        return this.#takeSeparator(input, at)
      case 'trailer': {
        this.#text += input.toString('latin1', at)
        if (this.#text.length > MAX_TRAILER_BYTES) throw badTrailer('The trailers are too long.')
        return input.length
      }
    }
  }

  #takeData(input: Buffer, at: number): number {
    const piece = input.subarray(at, at + this.#left)
    this.#left -= piece.length
    if (this.#chain) this.#held.push(piece)
    else this.push(piece)
    if (this.#left === 0) {
      this.#release()
      this.#state = 'separator'
    }
    return at + piece.length
  }

  #takeLine(input: Buffer, at: number): number {
    const end = input.indexOf(LF, at)
    this.#text += input.toString('latin1', at, end < 0 ? input.length : end)
    if (this.#text.length > MAX_CHUNK_LINE_BYTES) throw badFraming('a chunk header is too long')
    if (end < 0) return input.length
    const line = this.#text
    this.#text = ''
    this.#startChunk(line)
    return end + 1
  }

  #takeSeparator(input: Buffer, at: number): number {
    const byte = input[at]
    const expected = this.#text === '' ? CR : LF
    if (byte !== expected) throw badFraming('a chunk does not end where it should')
    this.#text = byte === CR ? '\r' : ''
    if (byte === LF) this.#state = 'line'
    return at + 1
  }

  #startChunk(line: string): void {
    const match = /^([0-9a-fA-F]{1,13})((?:;[^\r]*)?)\r$/.exec(line)
    if (!match) throw badFraming('a chunk header is malformed')
    const [, digits = '', extensions = ''] = match
    const size = Number.parseInt(digits, 16)
    if (this.#chain) {
      if (size > MAX_SIGNED_CHUNK_BYTES)
        throw badFraming(`a signed chunk is larger than ${MAX_SIGNED_CHUNK_BYTES} bytes`)
      this.#chunkSignature =
        /(?:^|;)chunk-signature=([0-9a-fA-F]{64})(?:;|$)/.exec(extensions)?.[1]?.toLowerCase() ?? ''
      if (this.#chunkSignature === '') throw badFraming('a chunk has no signature')
    }
    this.#decoded += size
    if (this.#decoded > this.#options.decodedLength) throw wrongLength()
    this.#left = size
    this.#state = size === 0 ? 'trailer' : 'data'
    if (size === 0) this.#release()
  }

  /** Checks the chunk that is complete and passes its bytes on. */
  #release(): void {
    if (!this.#chain) return
    const held = this.#held
    this.#held = []
    if (!isSameSignature(this.#chain.next(held), this.#chunkSignature)) {
      throw new SignatureError('SignatureDoesNotMatch', 'The signature of a chunk does not match.')
    }
    for (const piece of held) this.push(piece)
  }

  #finish(): void {
    if (this.#state !== 'trailer')
      throw new SignatureError('IncompleteBody', 'The request body terminated unexpectedly.')
    if (this.#decoded !== this.#options.decodedLength) throw wrongLength()
    // Some clients end a trailer by LF, and put an empty line before the signature or leave out the last one.
    const lines = this.#text.split(/\r?\n/).filter((line) => line !== '')
    if (!this.#options.trailers) {
      if (lines.length > 0) throw badFraming('the last chunk is followed by data')
      return
    }
    const found = lines.map(readTrailer)
    if (this.#chain) checkTrailerSignature(this.#chain, found)
    const names = found.map(([name]) => name)
    const announced = this.#options.trailers
    if (names.length !== announced.length || new Set(names).size !== names.length) {
      throw badTrailer('The trailers are not those that x-amz-trailer announced.')
    }
    for (const [name, value] of found) {
      if (!announced.includes(name)) throw badTrailer(`The trailer ${name} was not announced by x-amz-trailer.`)
      this.trailers[name] = value
    }
  }
}

function readTrailer(line: string): [name: string, value: string] {
  const at = line.indexOf(':')
  if (at < 1) throw badTrailer('A trailer is malformed.')
  return [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()]
}

/** Removes the signature from the trailers and checks it. */
function checkTrailerSignature(chain: ChunkChain, trailers: [name: string, value: string][]): void {
  const last = trailers.pop()
  if (last?.[0] !== TRAILER_SIGNATURE) throw badTrailer(`The trailers must end with ${TRAILER_SIGNATURE}.`)
  if (isSameSignature(chain.trailer(trailers), last[1].toLowerCase())) return
  throw new SignatureError('SignatureDoesNotMatch', 'The signature of the trailers does not match.')
}

function badFraming(what: string): SignatureError {
  return new SignatureError('InvalidRequest', `The aws-chunked body is malformed: ${what}.`)
}

function badTrailer(message: string): SignatureError {
  return new SignatureError('MalformedTrailerError', message)
}

function wrongLength(): SignatureError {
  return new SignatureError(
    'IncompleteBody',
    'The body does not have the length that x-amz-decoded-content-length says.',
  )
}
