/**
 * Runs tasks with the same key one after the other. S3 has no conditional writes for settings, so that two changes that
 * read, edit and write one document would lose one of them. It protects against changes by this process only.
 */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    const turn = (async () => {
      // The caller of the task before gets its error.
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
