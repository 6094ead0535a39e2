import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mapInOrder } from './in-order.ts'

/** Items whose work ends when the test says so. */
function controlled() {
  const ends = new Map<number, { resolve: (value: number) => void; reject: (error: unknown) => void }>()
  const work = (item: number) =>
    new Promise<number>((resolve, reject) => {
      ends.set(item, { resolve, reject })
    })
  return { ends, work }
}

test('works on as many items as allowed, and yields the results in their order', async () => {
  const { ends, work } = controlled()
  let limit = 3
  const results = mapInOrder([1, 2, 3, 4, 5, 6], () => limit, work)
  const first = results.next()
  await expect.poll(() => [...ends.keys()]).toEqual([1, 2, 3])
  ends.get(2)?.resolve(20)
  ends.get(3)?.resolve(30)
  ends.get(1)?.resolve(10)
  expect(await first).toEqual({ value: 10, done: false })
  // One at a time from now on: the next begins when all others have ended.
  limit = 1
  expect((await results.next()).value).toBe(20)
  expect((await results.next()).value).toBe(30)
  expect([...ends.keys()]).toEqual([1, 2, 3])
  for (const item of [4, 5, 6]) {
    const next = results.next()
    await expect.poll(() => ends.has(item)).toBe(true)
    expect(ends.has(item + 1)).toBe(false)
    ends.get(item)?.resolve(item * 10)
    expect((await next).value).toBe(item * 10)
  }
  expect((await results.next()).done).toBe(true)
})

test('a failure is reported when it is the turn of its item, after the others have ended', async () => {
  const { ends, work } = controlled()
  const results = mapInOrder([1, 2, 3], () => 3, work)
  const first = results.next()
  await expect.poll(() => ends.size).toBe(3)
  ends.get(2)?.reject(new Error('no'))
  ends.get(1)?.resolve(10)
  expect((await first).value).toBe(10)
  let failed = false
  const second = results.next().catch((error: Error) => {
    failed = true
    return error.message
  })
  await setImmediate()
  expect(failed).toBe(false)
  ends.get(3)?.resolve(30)
  expect(await second).toBe('no')
})

test('leaving the loop waits for the items in progress', async () => {
  const { ends, work } = controlled()
  const results = mapInOrder([1, 2, 3], () => 2, work)
  const first = results.next()
  await expect.poll(() => ends.size).toBe(2)
  ends.get(1)?.resolve(10)
  await first
  let left = false
  const leaving = results.return().then(() => (left = true))
  await setImmediate()
  expect(left).toBe(false)
  ends.get(2)?.resolve(20)
  await leaving
  expect(ends.has(3)).toBe(false)
})
