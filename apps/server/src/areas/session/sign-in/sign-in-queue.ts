import { reason } from '@stowage/contract'
import { KeyedQueue, type KeyedQueueOptions } from '@stowage/contract/values/keyed-queue'
import { HttpError } from '../../../lib/errors/http-errors.ts'

export interface SignInQueueLimits extends KeyedQueueOptions {
  /** Maximum number of waiting tasks. */
  maxWaiting: number
  /** Maximum number of waiting tasks per caller. */
  maxWaitingPerKey: number
}

/** Each sign-in makes up to three requests, over connections that all callers share. */
const LIMITS: SignInQueueLimits = { concurrency: 64, perKey: 16, maxWaiting: 1_000, maxWaitingPerKey: 100 }

/**
 * A fair queue for work that anonymous callers can request: callers take turns. If too many tasks wait, the oldest task of the
 * caller with the most is rejected.
 */
export class SignInQueue {
  readonly #queue: KeyedQueue
  readonly #limits: SignInQueueLimits

  constructor(limits = LIMITS) {
    this.#limits = limits
    this.#queue = new KeyedQueue(limits)
  }

  /** Runs a task when it is the caller's turn. @throws HttpError 503 if too many tasks wait; errors of the task */
  async run<T>(caller: string, task: () => Promise<T>): Promise<T> {
    const done = this.#queue.run(caller, task)
    this.#rejectTooMany(caller)
    return await done
  }

  #rejectTooMany(caller: string): void {
    const waiting = this.#queue.waiting()
    const own = waiting.get(caller) ?? 0
    if (own > this.#limits.maxWaitingPerKey) {
      this.#queue.rejectOldest(caller, busy())
      waiting.set(caller, own - 1)
    }
    let [all, longest] = [0, caller]
    for (const [key, count] of waiting) {
      all += count
      if (count > (waiting.get(longest) ?? 0)) longest = key
    }
    if (all > this.#limits.maxWaiting) this.#queue.rejectOldest(longest, busy())
  }
}

function busy(): HttpError {
  return new HttpError(503, reason('too-many-sign-ins-waiting'), { headers: { 'retry-after': '1' } })
}
