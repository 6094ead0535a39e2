import { expect, test } from 'vitest'
import { forEachConcurrent } from './for-each-concurrent.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('each item is worked on once, and no more of them at the same time than there are workers', async () => {
  const done: number[] = []
  let [running, most] = [0, 0]
  await forEachConcurrent([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, ++running)
    await turn()
    running--
    done.push(item)
  })
  expect([done, most]).toEqual([[1, 2, 3, 4, 5], 2])
})

test('after a failure no more is begun, and nothing is running when it is reported', async () => {
  const [begun, ended]: [number[], number[]] = [[], []]
  const all = forEachConcurrent([1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item)
    if (item === 1) throw new Error('no')
    await turn()
    ended.push(item)
  })
  await expect(all).rejects.toThrow('no')
  expect([begun, ended]).toEqual([[1, 2], [2]])
})
