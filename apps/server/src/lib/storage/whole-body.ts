import type { Readable } from 'node:stream'
import { MiB } from '@stowage/contract'
import { errors } from 'undici'

/** Maximum size of an answer that is read whole (bytes); a page of 1,000 keys has a few MiB at most. */
const WHOLE_BYTES = 64 * MiB
/** Maximum size of an error answer (bytes). */
const FAILURE_BYTES = MiB

export interface AnswerLimits {
  maxBytes: number
  /** Maximum pause of the storage server (ms). */
  idleMs: number
}

/**
 * Reads a body to its end.
 * @throws errors.BodyTimeoutError, errors.ResponseExceededMaxSizeError; the connection is then closed
 */
export async function readWholeBody(body: Readable, { maxBytes, idleMs }: AnswerLimits): Promise<Buffer> {
  const idle = setTimeout(() => {
    body.destroy(new errors.BodyTimeoutError(`The storage server sent nothing more of its answer for ${idleMs} ms`))
  }, idleMs)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      idle.refresh()
      size += chunk.length
      if (size > maxBytes)
        throw new errors.ResponseExceededMaxSizeError(`The storage server's answer is longer than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks, size)
  } finally {
    clearTimeout(idle)
  }
}

/** Reads the answer of a successful or failed call. @throws as `readWholeBody` */
export async function readAnswerBody(
  body: Readable,
  failed: boolean,
  { wholeMs }: { wholeMs: number },
): Promise<Buffer> {
  return await readWholeBody(body, { maxBytes: failed ? FAILURE_BYTES : WHOLE_BYTES, idleMs: wholeMs })
}
