/**
 * Reads a stream in pieces of given sizes, without reading ahead: bytes after a piece are kept for the next one, and the sender
 * waits.
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

  /** Whether the stream has ended. */
  async ended(): Promise<boolean> {
    this.#waiting = await this.#next()
    return this.#waiting === undefined
  }

  /** Yields at most this many bytes, as they arrive. */
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

  /** Fills a buffer with the next bytes. @returns the number of bytes read; less than the buffer's size if the stream ended */
  async fill(buffer: Buffer): Promise<number> {
    let size = 0
    for await (const chunk of this.take(buffer.length)) {
      buffer.set(chunk, size)
      size += chunk.length
    }
    return size
  }
}
