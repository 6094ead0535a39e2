/** Collects small pieces into buffers of a given size. */
export class BufferCollector {
  readonly #full: Buffer[] = []
  #current: Buffer | undefined
  #used = 0
  /** All bytes so far, taken ones included. */
  size = 0

  constructor(private readonly bufferBytes: number) {}

  add(piece: Uint8Array): void {
    this.size += piece.length
    for (let at = 0; at < piece.length; ) {
      this.#current ??= Buffer.allocUnsafeSlow(this.bufferBytes)
      const fits = Math.min(piece.length - at, this.bufferBytes - this.#used)
      this.#current.set(at === 0 && fits === piece.length ? piece : piece.subarray(at, at + fits), this.#used)
      at += fits
      this.#used += fits
      if (this.#used < this.bufferBytes) return
      this.#full.push(this.#current)
      this.#current = undefined
      this.#used = 0
    }
  }

  /** Takes the full buffers. */
  full(): Buffer[] {
    return this.#full.splice(0)
  }

  /** Takes everything. */
  all(): Buffer[] {
    if (!this.#current || this.#used === 0) return this.full()
    // Copied, because most are much shorter than the buffer, which can then be used again.
    const last = Buffer.from(this.#current.subarray(0, this.#used))
    this.#used = 0
    return [...this.full(), last]
  }
}
