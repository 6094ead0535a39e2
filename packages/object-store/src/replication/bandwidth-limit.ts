import type { AbortableWait } from '../lib/abortable-wait.ts'

/** Limits the number of bytes per second. */
export class BandwidthLimit {
  /** When the bytes so far will be sent, in ms. */
  #until = 0
  /** Bytes sent in the current second, and in the previous one. */
  #second = { at: 0, bytes: 0, before: 0 }

  constructor(
    /** Bytes per second; 0: unlimited. */
    private readonly limit: number,
    private readonly wait: AbortableWait,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Resolves when this many bytes may be sent. @throws the signal's reason */
  async acquire(bytes: number, signal: AbortSignal): Promise<void> {
    this.#count(bytes)
    if (this.limit === 0) return
    const now = this.now()
    const start = Math.max(this.#until, now)
    this.#until = start + (bytes * 1000) / this.limit
    if (start > now) await this.wait(start - now, signal)
  }

  /** Bytes sent in the last full second. */
  get bytesPerSecond(): number {
    this.#count(0)
    return this.#second.before
  }

  #count(bytes: number): void {
    const at = Math.floor(this.now() / 1000)
    const { at: last, bytes: counted } = this.#second
    if (at !== last) this.#second = { at, bytes: 0, before: at === last + 1 ? counted : 0 }
    this.#second.bytes += bytes
  }
}
