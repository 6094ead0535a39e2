import { ApiFailure } from '../../lib/failure.ts'

/** Statuses that may pass: no response, timeout, too many requests, server and gateway errors. Not 507, a full disk. */
const PASSING = new Set([0, 408, 429, 500, 502, 503, 504])
/** Delays before the second attempt, the third and so on (ms). The failure of the last attempt is final. */
const DELAYS = [500, 1000, 2000, 4000, 8000]

/** Waits before another attempt, which follows `error`. */
export type Delay = (ms: number, signal: AbortSignal, error?: ApiFailure) => Promise<void>

/** @throws the signal's reason when it is aborted */
export const delay: Delay = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const leave = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave)
      resolve()
    }, ms)
    signal.addEventListener('abort', leave, { once: true })
  })

/**
 * Retries while the error is a temporary one: no response, too many requests, or a server error.
 * @param wait replaced in tests, so that they do not wait
 */
export async function retrying<T>(signal: AbortSignal, wait: Delay, work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const pause = DELAYS[attempt]
      if (signal.aborted || pause === undefined || !(error instanceof ApiFailure) || !PASSING.has(error.status))
        throw error
      // Randomized, so that parts that failed together do not retry at the same time.
      await wait(pause * (0.75 + Math.random() / 2), signal, error)
    }
  }
}
