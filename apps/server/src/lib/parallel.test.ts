import { expect, test } from 'vitest'
import { mapParallel } from './parallel.ts'

test('results stand in the order of the list, with no more calls at once than told', async () => {
  let running = 0
  let most = 0
  const results = await mapParallel([30, 5, 20, 1, 10], 2, async (ms) => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, ms))
    running--
    return ms
  })
  expect(results).toEqual([30, 5, 20, 1, 10])
  expect(most).toBe(2)
})

test('after a failure no further call begins', async () => {
  const items = Array.from({ length: 1000 }, (_, i) => i)
  const begun: number[] = []
  const open: (() => void)[] = []
  const done = mapParallel(items, 4, async (i) => {
    begun.push(i)
    if (i === 3) throw new Error('item 3')
    await new Promise<void>((resolve) => open.push(resolve))
  })
  await expect(done).rejects.toThrow('item 3')
  for (const resolve of open) resolve()
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun).toEqual([0, 1, 2, 3])
})
