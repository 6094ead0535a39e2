/**
 * Runs tasks with the same key in sequence. S3 has no conditional writes for settings, so of two changes that read, edit and
 * write one document at the same time, one would be lost. Protects only against changes by this process.
 */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    const turn = (async () => {
      // The previous task's caller gets its error.
      await before?.catch(() => undefined)
      return await task()
    })()
    this.#last.set(key, turn)
    try {
      return await turn
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key)
    }
  }
}
