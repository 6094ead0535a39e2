/** An item of the queue. Two items with the same target do not run at the same time. */
interface QueuedUpload {
  bucket: string
  key: string
}

/** Runs tasks in order of arrival, a limited number in parallel. */
export class UploadQueue<T extends QueuedUpload> {
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

  /** Removes a task that has not started. */
  remove(task: T): void {
    this.#waiting.delete(task)
  }

  /** Starts the tasks that may run. Call it after every change. */
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
    const busy = new Set([...this.#running].map(targetKey))
    for (const task of this.#waiting) {
      // Uploads to the same key run one after the other; otherwise the order in which they end would decide which one remains.
      if (!busy.has(targetKey(task))) return task
    }
    return undefined
  }
}

const targetKey = ({ bucket, key }: QueuedUpload) => `${bucket}/${key}`
