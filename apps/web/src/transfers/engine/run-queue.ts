/** What waits in a queue: two with the same target do not run at the same time. */
interface Queued {
  bucket: string
  key: string
}

/** Runs tasks in the order of their coming, so many at once. */
export class RunQueue<T extends Queued> {
  readonly #limit: number
  readonly #run: (task: T) => Promise<void>
  readonly #waiting = new Set<T>()
  readonly #running = new Set<T>()

  constructor(limit: number, run: (task: T) => Promise<void>) {
    this.#limit = limit
    this.#run = run
  }

  get running(): readonly T[] {
    return [...this.#running]
  }

  add(task: T): void {
    this.#waiting.add(task)
  }

  /** Takes back one that has not begun. */
  remove(task: T): void {
    this.#waiting.delete(task)
  }

  /** Begins what may begin; to be called after every change. */
  pump(): void {
    while (this.#running.size < this.#limit) {
      const task = this.#next()
      if (!task) return
      this.#waiting.delete(task)
      this.#running.add(task)
      void this.#run(task).finally(() => {
        this.#running.delete(task)
        this.pump()
      })
    }
  }

  #next(): T | undefined {
    const busy = new Set([...this.#running].map(targetOf))
    for (const task of this.#waiting) {
      // Two uploads to one key go one after the other, or the order of their ends would decide.
      if (!busy.has(targetOf(task))) return task
    }
    return undefined
  }
}

const targetOf = ({ bucket, key }: Queued) => `${bucket}/${key}`
