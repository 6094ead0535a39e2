export interface FairQueueOptions {
  /** Maximum number of running tasks. */
  atOnce: number
  /** Maximum number of running tasks per caller. */
  each: number
  /** Maximum number of waiting tasks. */
  waiting: number
  /** Maximum number of waiting tasks per caller. */
  waitingEach: number
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

  /** Runs a task when it is the caller's turn. @throws the error of `refuse` if too many tasks wait; errors of the task */
  async run<T>(caller: string, task: () => Promise<T>): Promise<T> {
    const own = this.#callers.get(caller) ?? { running: 0, waiting: [] }
    this.#callers.set(caller, own)
    await new Promise<void>((start, reject) => {
      own.waiting.push({ start, refuse: () => reject(this.options.refuse()) })
      this.#waiting++
      this.#startNext()
      this.#refuseTooMany(own.waiting)
    })
    try {
      return await task()
    } finally {
      own.running--
      this.#running--
      if (own.running === 0 && own.waiting.length === 0) this.#callers.delete(caller)
      this.#startNext()
    }
  }

  #startNext(): void {
    for (const [caller, own] of this.#callers) {
      if (this.#running >= this.options.atOnce) return
      if (own.running >= this.options.each) continue
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

  #refuseTooMany(own: WaitingTurn[]): void {
    if (own.length > this.options.waitingEach) this.#refuseOldest(own)
    if (this.#waiting <= this.options.waiting) return
    const [longest] = [...this.#callers.values()].sort((a, b) => b.waiting.length - a.waiting.length)
    if (longest) this.#refuseOldest(longest.waiting)
  }

  #refuseOldest(waiting: WaitingTurn[]): void {
    this.#waiting--
    waiting.shift()?.refuse()
  }
}
