export interface KeyedQueueOptions {
  /** Maximum number of running tasks. Default: no limit. */
  concurrency?: number
  /** Maximum number of running tasks with the same key. Default: 1, so that they run in order. */
  perKey?: number
}

interface WaitingTask {
  start: () => void
  reject: (reason: unknown) => void
}

/**
 * Runs tasks with the same key in order, or some of them at a time. Keys take turns, so a key with few tasks does not wait
 * behind one with many.
 */
export class KeyedQueue {
  readonly #concurrency: number
  readonly #perKey: number
  /** Keys with running or waiting tasks; the first one is next. */
  readonly #keys = new Map<string, { running: number; waiting: WaitingTask[] }>()
  #running = 0

  constructor({ concurrency = Number.POSITIVE_INFINITY, perKey = 1 }: KeyedQueueOptions = {}) {
    this.#concurrency = concurrency
    this.#perKey = perKey
  }

  /**
   * Runs a task when it is the key's turn.
   * @param signal removes a waiting task
   * @throws errors of the task, and the signal's reason
   */
  async run<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    const own = this.#keys.get(key) ?? { running: 0, waiting: [] }
    this.#keys.set(key, own)
    let leave = () => {}
    await new Promise<void>((start, reject) => {
      const waiting = { start, reject }
      leave = () => this.#remove(key, waiting, signal?.reason)
      signal?.addEventListener('abort', leave)
      own.waiting.push(waiting)
      this.#startNext()
    }).finally(() => signal?.removeEventListener('abort', leave))
    try {
      return await task()
    } finally {
      own.running--
      this.#running--
      this.#deleteUnused(key)
      this.#startNext()
    }
  }

  #startNext(): void {
    for (const [key, own] of this.#keys) {
      if (this.#running >= this.#concurrency) return
      if (own.running >= this.#perKey) continue
      const next = own.waiting.shift()
      if (!next) continue
      // Moves the key to the end, so that the others are next.
      this.#keys.delete(key)
      this.#keys.set(key, own)
      this.#running++
      own.running++
      next.start()
    }
  }

  #remove(key: string, task: WaitingTask, why: unknown): void {
    const waiting = this.#keys.get(key)?.waiting ?? []
    const at = waiting.indexOf(task)
    if (at < 0) return
    waiting.splice(at, 1)
    this.#deleteUnused(key)
    task.reject(why)
  }

  #deleteUnused(key: string): void {
    const own = this.#keys.get(key)
    if (own?.running === 0 && own.waiting.length === 0) this.#keys.delete(key)
  }
}
