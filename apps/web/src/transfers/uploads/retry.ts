import { ApiFailure } from '../../lib/api/api-failure.ts'

/** Statuses that may pass: no response, timeout, too many requests, server and gateway errors. Not 507, a full disk. */
const TEMPORARY_STATUSES = new Set([0, 408, 429, 500, 502, 503, 504])
/** Delays before the second attempt, the third and so on (ms). The failure of the last attempt is final. */
const DELAYS = [500, 1000, 2000, 4000, 8000]

/** Waits before another attempt, which follows `error`. */
export type RetryDelay = (ms: number, signal: AbortSignal, error?: ApiFailure) => Promise<void>

/** Maximum wait for the network (ms). A browser may take a reachable server for unreachable. */
const OFFLINE_MS = 60_000

/**
 * Also waits until the browser has a network, so that no attempt is lost on a computer that slept or changed its network.
 * @throws the signal's reason when it is aborted
 */
export const retryDelay: RetryDelay = async (ms, signal) => {
  await waitUntil(signal, (done) => {
    const timer = setTimeout(done, ms)
    return () => clearTimeout(timer)
  })
  if (navigator.onLine) return
  await waitUntil(signal, (done) => {
    const timer = setTimeout(done, OFFLINE_MS)
    addEventListener('online', done)
    return () => {
      clearTimeout(timer)
      removeEventListener('online', done)
    }
  })
}

/** @param begin calls `done` when the wait is over, and returns a function that cleans up */
function waitUntil(signal: AbortSignal, begin: (done: () => void) => () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const leave = () => {
      end()
      reject(signal.reason)
    }
    const end = begin(() => {
      signal.removeEventListener('abort', leave)
      end()
      resolve()
    })
    signal.addEventListener('abort', leave, { once: true })
  })
}

/**
 * Retries while the error is a temporary one: no response, too many requests, or a server error.
 * @param wait replaced in tests, so that they do not wait
 */
export async function withRetries<T>(signal: AbortSignal, wait: RetryDelay, work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const pause = DELAYS[attempt]
      if (
        signal.aborted ||
        pause === undefined ||
        !(error instanceof ApiFailure) ||
        !TEMPORARY_STATUSES.has(error.status)
      )
        throw error
      // Randomized, so that parts that failed together do not retry at the same time.
      await wait(pause * (0.75 + Math.random() / 2), signal, error)
    }
  }
}
