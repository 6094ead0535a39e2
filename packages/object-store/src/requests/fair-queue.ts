export interface FairQueueOptions {
  /** Maximum number of running tasks. */
  concurrency: number
  /** Maximum number of running tasks per caller. */
  perKey: number
  /** Maximum number of waiting tasks. */
  maxWaiting: number
  /** Maximum number of waiting tasks per caller. */
  maxWaitingPerKey: number
  /** The error of a task that is refused because too many wait. */
  refuse: () => Error
}

interface WaitingTurn {
  start: () => void
  refuse: () => void
}

/**
 * A fair queue for work that anonymous callers can request: callers take turns, so a caller with few tasks does not wait behind
 * one with many. If too many tasks wait, the oldest task of the caller with the most is refused.
 */
export class FairQueue {
  /** Callers with running or waiting tasks; the first one is next. */
  readonly #callers = new Map<string, { running: number; waiting: WaitingTurn[] }>()
  #running = 0
  #waiting = 0

  constructor(private readonly options: FairQueueOptions) {}

  /** The number of callers with running or waiting tasks. */
  get callers(): number {
    return this.#callers.size
  }

  /** Runs a task when it is the caller's turn. @throws the error of `refuse` if too many tasks wait; errors of the task */
  async run<T>(caller: string, task: () => Promise<T>): Promise<T> {
    const own = this.#callers.get(caller) ?? { running: 0, waiting: [] }
    this.#callers.set(caller, own)
    await new Promise<void>((start, reject) => {
      own.waiting.push({ start, refuse: () => reject(this.options.refuse()) })
      this.#waiting++
      this.#startNext()
      this.#refuseTooMany(caller, own.waiting)
    })
    try {
      return await task()
    } finally {
      own.running--
      this.#running--
      this.#deleteUnused(caller)
      this.#startNext()
    }
  }

  #startNext(): void {
    for (const [caller, own] of this.#callers) {
      if (this.#running >= this.options.concurrency) return
      if (own.running >= this.options.perKey) continue
      const next = own.waiting.shift()
      if (!next) continue
      // Moves the caller to the end, so that the others are next.
      this.#callers.delete(caller)
      this.#callers.set(caller, own)
      this.#waiting--
      this.#running++
      own.running++
      next.start()
    }
  }

  #refuseTooMany(caller: string, own: readonly WaitingTurn[]): void {
    if (own.length > this.options.maxWaitingPerKey) this.#refuseOldest(caller)
    if (this.#waiting <= this.options.maxWaiting) return
    let [longest, most] = [caller, own.length]
    for (const [key, { waiting }] of this.#callers) if (waiting.length > most) [longest, most] = [key, waiting.length]
    this.#refuseOldest(longest)
  }

  #refuseOldest(caller: string): void {
    const oldest = this.#callers.get(caller)?.waiting.shift()
    if (!oldest) return
    this.#waiting--
    this.#deleteUnused(caller)
    oldest.refuse()
  }

  #deleteUnused(caller: string): void {
    const own = this.#callers.get(caller)
    if (own?.running === 0 && own.waiting.length === 0) this.#callers.delete(caller)
  }
}
