// @vitest-environment happy-dom

import { afterEach, expect, test, vi } from 'vitest'
import { ApiFailure } from '../../lib/api/api-failure.ts'
import { retryDelay, withRetries } from './retry.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/**
 * Runs work that always fails with this. @returns the number of attempts, and for each wait its length and the error passed to
 * it
 */
async function failAlways(error: unknown) {
  const waits: { ms: number; why: unknown }[] = []
  let tries = 0
  const work = () => {
    tries++
    return Promise.reject(error as Error)
  }
  const wait = async (ms: number, _: AbortSignal, why: unknown) => void waits.push({ ms, why })
  await expect(withRetries(new AbortController().signal, wait, work)).rejects.toBe(error)
  return { tries, waits }
}

test.each([0, 408, 429, 500, 502, 503, 504])(
  '%d is tried six times with growing delays, and then fails [OBJ-30]',
  async (status) => {
    const error = new ApiFailure(status, { message: 'busy' })
    const { tries, waits } = await failAlways(error)
    expect(tries).toBe(6)
    expect(waits.map(({ why }) => why)).toEqual(Array(5).fill(error))
    for (const [i, { ms }] of waits.entries()) {
      expect(ms).toBeGreaterThanOrEqual(500 * 2 ** i * 0.75)
      expect(ms).toBeLessThanOrEqual(500 * 2 ** i * 1.25)
    }
  },
)

test.each([400, 401, 403, 404, 507])('%d is final', async (status) => {
  expect(await failAlways(new ApiFailure(status, undefined))).toEqual({ tries: 1, waits: [] })
})

test('a bug in the program is not retried', async () => {
  expect(await failAlways(new TypeError('x is undefined'))).toEqual({ tries: 1, waits: [] })
})

/** Starts a delay of a second without a network. @returns how it ended, once it has */
function offlineDelay(signal = new AbortController().signal) {
  vi.useFakeTimers()
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const ends: unknown[] = []
  retryDelay(1000, signal).then(
    () => ends.push('over'),
    (reason: unknown) => ends.push(reason),
  )
  return ends
}

test('without a network the next attempt waits for it, and not longer than a minute', async () => {
  const back = offlineDelay()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(back).toEqual([])
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(back).toEqual(['over'])

  const away = offlineDelay()
  await vi.advanceTimersByTimeAsync(60_999)
  expect(away).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(away).toEqual(['over'])
})

test('a wait for the network ends when the upload is cancelled', async () => {
  const control = new AbortController()
  const ends = offlineDelay(control.signal)
  await vi.advanceTimersByTimeAsync(5000)
  control.abort('cancelled')
  await vi.advanceTimersByTimeAsync(0)
  expect(ends).toEqual(['cancelled'])
})

test('with a network the delay is not longer', async () => {
  vi.useFakeTimers()
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
  const over = vi.fn()
  void retryDelay(1000, new AbortController().signal).then(over)
  await vi.advanceTimersByTimeAsync(999)
  expect(over).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(over).toHaveBeenCalledOnce()
})
