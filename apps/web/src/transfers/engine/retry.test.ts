import { expect, test } from 'vitest'
import { ApiFailure } from '../../lib/failure.ts'
import { retrying } from './retry.ts'

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
  await expect(retrying(new AbortController().signal, wait, work)).rejects.toBe(error)
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
