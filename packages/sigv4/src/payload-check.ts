import { createHash } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import { SignatureError } from './signature-error.ts'

/**
 * Passes a body through and compares its SHA-256 at the end with the signed one. All bytes have been passed on by then, so
 * the reader must not make them visible before the stream has ended without an error.
 * Fails with SignatureError XAmzContentSHA256Mismatch.
 */
export class PayloadCheck extends Transform {
  readonly #hash = createHash('sha256')
  readonly #expected: string

  /** @param sha256 hex, as `payloadMode` gives it */
  constructor(sha256: string) {
    super()
    this.#expected = sha256
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk)
    done(null, chunk)
  }

  override _flush(done: TransformCallback): void {
    const matches = this.#hash.digest('hex') === this.#expected
    done(matches ? null : mismatch())
  }
}

function mismatch(): SignatureError {
  return new SignatureError(
    'XAmzContentSHA256Mismatch',
    'The provided x-amz-content-sha256 header does not match what was computed.',
  )
}
