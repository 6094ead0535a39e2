/** A part of a stream. Read it completely before the next one. */
export interface StreamSlice {
  /** Bytes. */
  readonly length: number
  readonly chunks: AsyncIterable<Uint8Array>
}

/** Splits a stream of `size` bytes into parts of `length` bytes; the last one may be shorter. Buffers nothing. */
export async function* splitStream(
  body: AsyncIterable<Uint8Array>,
  size: number,
  length: number,
): AsyncGenerator<StreamSlice> {
  const source = body[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array(0)

  async function* take(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0; ) {
      if (rest.length === 0) {
        const next = await source.next()
        // The reader detects missing bytes by the announced length.
        if (next.done) return
        rest = next.value
      }
      const chunk = rest.subarray(0, left)
      rest = rest.subarray(chunk.length)
      left -= chunk.length
      if (chunk.length > 0) yield chunk
    }
  }

  try {
    for (let at = 0; at < size; at += length) {
      const bytes = Math.min(length, size - at)
      yield { length: bytes, chunks: take(bytes) }
    }
  } finally {
    await source.return?.()
  }
}
