/**
 * Limits the number of parallel requests; the others wait in order of arrival. With HTTP/1.1 a browser opens six connections
 * to a server, so transfers use up to four and leave two for the pages.
 */
export class ConnectionLimit {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  /**
   * Runs `work` when a slot is free.
   * @throws the signal's reason if it is aborted before that
   */
  async use<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#take(signal)
    try {
      return await work()
    } finally {
      this.#give()
    }
  }

  #take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#free > 0) {
      this.#free--
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1)
        reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.push(go)
    })
  }

  #give(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}
