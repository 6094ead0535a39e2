import type { KubeAccessRequest } from '@stowage/kube'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AccessReviews } from './access-reviews.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const action = (verb: string): KubeAccessRequest => ({ verb, resource: { group: '', plural: 'pods' } })

test('a right is asked once in 30 s, for each token and action', async () => {
  const rights = new AccessReviews()
  const can = vi.fn(async () => ({ allowed: true, reason: '' }))
  const ask = async (token: string, verb: string) => {
    await rights.review({ can }, token, action(verb))
    return can.mock.calls.length
  }
  expect(await ask('a', 'get')).toBe(1)
  vi.advanceTimersByTime(29_000)
  expect(await ask('a', 'get')).toBe(1)
  expect(await ask('a', 'list')).toBe(2)
  expect(await ask('b', 'get')).toBe(3)
  vi.advanceTimersByTime(2_000)
  expect(await ask('a', 'get')).toBe(4)
})

test('a review that failed is asked again', async () => {
  const rights = new AccessReviews()
  const can = vi.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValue({ allowed: true, reason: '' })
  await expect(rights.review({ can }, 'a', action('get'))).rejects.toThrow('away')
  expect(await rights.review({ can }, 'a', action('get'))).toMatchObject({ allowed: true })
})
