import { ApiFailure } from '../../lib/failure.ts'

/** No answer, too slow, too many, an error inside, a proxy without its server; not 507, a full disk. */
const PASSING = new Set([0, 408, 429, 500, 502, 503, 504])
/** Milliseconds before the second try, the third and so on; the last failure is final. */
const DELAYS = [500, 1000, 2000, 4000, 8000]

/** Waits before another try, because of `error`. */
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
 * Tries again while the failure is one that passes: no answer, too busy, an error of the server.
 * @param wait a test's own, so that it need not wait
 */
export async function retrying<T>(signal: AbortSignal, wait: Delay, work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const pause = DELAYS[attempt]
      if (signal.aborted || pause === undefined || !(error instanceof ApiFailure) || !PASSING.has(error.status))
        throw error
      // Uneven, so that the parts that failed together do not come back together.
      await wait(pause * (0.75 + Math.random() / 2), signal, error)
    }
  }
}
