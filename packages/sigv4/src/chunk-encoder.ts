import { Transform, type TransformCallback } from 'node:stream'
import { ChunkChain, TRAILER_SIGNATURE } from './chunks.ts'
import type { SignatureSeed } from './sign.ts'

const DEFAULT_CHUNK_BYTES = 64 * 1024
const CRLF = '\r\n'
const SIGNATURE_HEX = 64

export interface ChunkEncoderOptions {
  /** What `signHeaders` returned; without it chunks are sent unsigned. */
  readonly seed?: SignatureSeed
  /** Bytes per chunk but the last; S3 wants at least 8 KiB. Default 64 KiB. */
  readonly chunkSize?: number
  /** Returns the trailers; called after the last byte. Names in lower case, as announced by `x-amz-trailer`. */
  readonly trailers?: () => Readonly<Record<string, string>>
}

/** Encodes a body as `aws-chunked`, in chunks of equal size so that `encodedLength` can be computed beforehand. */
export class ChunkEncoder extends Transform {
  readonly #options: ChunkEncoderOptions
  readonly #chunkSize: number
  readonly #chain: ChunkChain | undefined
  #pieces: Buffer[] = []
  #gathered = 0

  constructor(options: ChunkEncoderOptions = {}) {
    super()
    this.#options = options
    this.#chunkSize = options.chunkSize ?? DEFAULT_CHUNK_BYTES
    this.#chain = options.seed && new ChunkChain(options.seed)
  }

  override _transform(input: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    for (let at = 0; at < input.length; ) {
      const piece = input.subarray(at, at + this.#chunkSize - this.#gathered)
      this.#pieces.push(piece)
      this.#gathered += piece.length
      at += piece.length
      if (this.#gathered === this.#chunkSize) this.#emit()
    }
    done()
  }

  override _flush(done: TransformCallback): void {
    if (this.#gathered > 0) this.#emit()
    this.push(this.#line([], 0))
    let end = ''
    if (this.#options.trailers) {
      const trailers = Object.entries(this.#options.trailers())
      for (const [name, value] of trailers) end += `${name}:${value}${CRLF}`
      if (this.#chain) end += `${TRAILER_SIGNATURE}:${this.#chain.trailer(trailers)}${CRLF}`
    }
    this.push(end + CRLF)
    done()
  }

  #emit(): void {
    const pieces = this.#pieces
    const line = Buffer.from(this.#line(pieces, this.#gathered))
    this.#pieces = []
    this.#gathered = 0
    // One push per chunk: a copy of 64 KiB costs less than three small socket writes.
    this.push(Buffer.concat([line, ...pieces, Buffer.from(CRLF)]))
  }

  #line(pieces: readonly Buffer[], size: number): string {
    const signature = this.#chain ? `;chunk-signature=${this.#chain.next(pieces)}` : ''
    return size.toString(16) + signature + CRLF
  }
}

/**
 * The `content-length` of an encoded body, bytes.
 * @param options.trailers length of the value of each trailer, by name
 */
export function encodedLength(
  decodedLength: number,
  options: { signed: boolean; chunkSize?: number; trailers?: Readonly<Record<string, number>> },
): number {
  const { signed, chunkSize = DEFAULT_CHUNK_BYTES, trailers } = options
  const line = (size: number) =>
    size.toString(16).length + (signed ? `;chunk-signature=`.length + SIGNATURE_HEX : 0) + 2
  const rest = decodedLength % chunkSize
  let length = Math.floor(decodedLength / chunkSize) * (line(chunkSize) + chunkSize + 2)
  if (rest > 0) length += line(rest) + rest + 2
  length += line(0) + 2
  if (!trailers) return length
  for (const [name, value] of Object.entries(trailers)) length += name.length + 1 + value + 2
  return signed ? length + TRAILER_SIGNATURE.length + 1 + SIGNATURE_HEX + 2 : length
}
