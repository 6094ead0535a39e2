/**
 * Reads a stream in pieces of given sizes and no further: bytes beyond a piece are kept for the next one, and the sender of
 * the stream waits.
 */
export class ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array>
  #waiting: Uint8Array | undefined
  #ended = false

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  async #next(): Promise<Uint8Array | undefined> {
    if (this.#waiting) {
      const chunk = this.#waiting
      this.#waiting = undefined
      return chunk
    }
    while (!this.#ended) {
      const { value, done } = await this.#chunks.next()
      if (done) this.#ended = true
      else if (value.length > 0) return value
    }
    return undefined
  }

  /** Whether nothing is left. */
  async ended(): Promise<boolean> {
    this.#waiting = await this.#next()
    return this.#waiting === undefined
  }

  /** At most so many bytes, as they come. */
  async *take(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0; ) {
      const chunk = await this.#next()
      if (!chunk) return
      if (chunk.length > left) {
        this.#waiting = chunk.subarray(left)
        yield chunk.subarray(0, left)
        return
      }
      left -= chunk.length
      yield chunk
    }
  }

  /** Fills a buffer with the next bytes. @returns how many; fewer than it holds when the stream ends before */
  async fill(buffer: Buffer): Promise<number> {
    let size = 0
    for await (const chunk of this.take(buffer.length)) {
      buffer.set(chunk, size)
      size += chunk.length
    }
    return size
  }
}
