import { createHash } from 'node:crypto'
import { EMPTY_SHA256 } from './payload.ts'
import { formatScope } from './scope.ts'
import type { SignatureSeed } from './sign.ts'
import { hmacHex, sha256Hex } from './signing-key.ts'

/** The name of the last trailer of a signed body. */
export const TRAILER_SIGNATURE = 'x-amz-trailer-signature'

/** Signatures of a body's chunks, each covering the one before, from the request's own signature on. */
export class ChunkChain {
  readonly #seed: SignatureSeed
  #previous: string

  constructor(seed: SignatureSeed) {
    this.#seed = seed
    this.#previous = seed.signature
  }

  /** The signature of the next chunk, whose data may be in several buffers. */
  next(pieces: readonly Uint8Array[]): string {
    const sha256 = createHash('sha256')
    for (const piece of pieces) sha256.update(piece)
    return this.#sign('AWS4-HMAC-SHA256-PAYLOAD', [EMPTY_SHA256, sha256.digest('hex')])
  }

  /** The signature of the trailers, in the order they are sent. */
  trailer(trailers: Iterable<readonly [name: string, value: string]>): string {
    let text = ''
    for (const [name, value] of trailers) text += `${name}:${value}\n`
    return this.#sign('AWS4-HMAC-SHA256-TRAILER', [sha256Hex(text)])
  }

  #sign(algorithm: string, hashes: string[]): string {
    const { key, amzDate, scope } = this.#seed
    const text = [algorithm, amzDate, formatScope(scope), this.#previous, ...hashes].join('\n')
    this.#previous = hmacHex(key, text)
    return this.#previous
  }
}
