import { setImmediate } from 'node:timers/promises'
import type { HealItemInfo } from '@stowage/madmin'
import { expect, test } from 'vitest'
import { addHealStatus, afterEarlierRequests, HealRuns } from './heal-runs.ts'
import { addToHealTotals, emptyHealTotals, wireHealedItem } from './healed-items.ts'
import { itemColour } from './item-colour.ts'

const drives = (ok: number, others: string[] = []) => [
  ...Array.from({ length: ok }, (_, i) => ({ uuid: `${i}`, endpoint: `/d${i}`, state: 'ok' })),
  ...others.map((state) => ({ uuid: '', endpoint: '', state })),
]
const item = (part: Partial<HealItemInfo>): HealItemInfo => ({
  type: 'object',
  bucket: 'b',
  object: 'k',
  versionId: '',
  detail: '',
  parityBlocks: 4,
  dataBlocks: 12,
  diskCount: 16,
  setCount: 0,
  before: [],
  after: [],
  size: 7,
  ...part,
})

test.each([
  // For objects: the number of drives beyond those needed.
  [{}, 16, 'green'],
  [{}, 15, 'green'],
  [{}, 14, 'yellow'],
  [{}, 13, 'red'],
  [{}, 12, 'red'],
  [{}, 11, 'grey'],
  [{ parityBlocks: 2, dataBlocks: 2 }, 4, 'green'],
  [{ parityBlocks: 2, dataBlocks: 2 }, 3, 'yellow'],
  [{ parityBlocks: 2, dataBlocks: 2 }, 2, 'red'],
  [{ parityBlocks: 3, dataBlocks: 3 }, 6, 'green'],
  [{ parityBlocks: 3, dataBlocks: 3 }, 5, 'yellow'],
  [{ parityBlocks: 3, dataBlocks: 3 }, 4, 'red'],
  [{ parityBlocks: 8, dataBlocks: 8 }, 14, 'green'],
  [{ parityBlocks: 8, dataBlocks: 8 }, 13, 'yellow'],
  [{ parityBlocks: 8, dataBlocks: 8 }, 10, 'red'],
  [{ parityBlocks: 1, dataBlocks: 1 }, 2, 'green'],
  [{ parityBlocks: 1, dataBlocks: 1 }, 1, 'red'],
  [{ parityBlocks: 1, dataBlocks: 1 }, 0, 'grey'],
  // Values for which no colour can be computed.
  [{ parityBlocks: 0, dataBlocks: 0 }, 4, 'grey'],
  [{ parityBlocks: 9 }, 16, 'grey'],
  // For buckets: a majority of the drives of each set.
  [{ type: 'bucket', diskCount: 4, setCount: 1 }, 4, 'green'],
  [{ type: 'bucket', diskCount: 4, setCount: 1 }, 3, 'red'],
  [{ type: 'bucket', diskCount: 4, setCount: 1 }, 2, 'grey'],
  [{ type: 'metadata', diskCount: 16, setCount: 2 }, 16, 'green'],
  // Buckets as sent by servers of 2025.
  [{ type: 'bucket', diskCount: 0, setCount: -1, parityBlocks: 0, dataBlocks: 0 }, 4, 'green'],
  // With two drives there is no majority to lose.
  [{ type: 'bucket', diskCount: 2, setCount: 1, parityBlocks: 1, dataBlocks: 1 }, 2, 'green'],
  [{ type: 'bucket', diskCount: 2, setCount: 1, parityBlocks: 1, dataBlocks: 1 }, 1, 'red'],
] as const)('%j on %i drives is %s [HEA-07]', (part, ok, colour) => {
  expect(itemColour(item(part), drives(ok))).toBe(colour)
})

test('items are counted by kind and by whether they are on more drives than before [HEA-07]', () => {
  const totals = emptyHealTotals()
  const small = { parityBlocks: 1, dataBlocks: 1, diskCount: 2 }
  const both = drives(2)
  const one = drives(1, ['missing'])
  for (const each of [
    item({ ...small, type: 'bucket', object: '', before: both, after: both, size: -1 }),
    item({ ...small, before: one, after: both }),
    item({ ...small, before: one, after: one, detail: 'no room' }),
    item({ ...small, type: 'metadata', detail: 'disk-format', before: both, after: both }),
  ])
    addToHealTotals(totals, wireHealedItem(each))
  expect(totals).toEqual({
    bytesScanned: 14,
    objectsScanned: 2,
    itemsScanned: 4,
    objectsHealed: 1,
    itemsHealed: 1,
    healthBeforeCols: { Green: 2, Red: 2 },
    healthAfterCols: { Green: 3, Red: 1 },
  })
  expect(wireHealedItem(item({ detail: 'no room', before: one }))).toMatchObject({
    name: 'b/k',
    error: 'no room',
    before: { online: 1, missing: 1, offline: 0, corrupted: 0 },
  })
})

test('items that one follower of a heal reads count for all followers, and for later ones', () => {
  const runs = new HealRuns()
  const path = { bucket: 'b', prefix: '' }
  const [first, second] = [runs.join(path, 'token'), runs.join(path, 'token')]
  const seen: string[][] = [[], []]
  first.followers.add((items) => seen[0]?.push(...items.map(({ name }) => name)))
  second.followers.add((items) => seen[1]?.push(...items.map(({ name }) => name)))
  const status = { summary: 'running', detail: '', startTime: '2026-11-22T12:00:00Z', endTime: undefined }
  addHealStatus(first, { ...status, items: [item({})] })
  expect(seen).toEqual([['b/k'], ['b/k']])
  expect(runs.join(path, 'token').totals.objectsScanned).toBe(1)
  expect(runs.join(path, 'other').totals.objectsScanned).toBe(0)
})

test('a heal is read by one request at a time, so that the last message has all items; a failed request is no obstacle', async () => {
  const run = new HealRuns().join({ bucket: 'b', prefix: '' }, 'token')
  const order: string[] = []
  const request = (name: string, failure?: Error) =>
    afterEarlierRequests(run, async () => {
      order.push(`${name} begins`)
      await setImmediate()
      order.push(`${name} ends`)
      if (failure) throw failure
      return name
    })
  const answers = await Promise.allSettled([request('first'), request('second', new Error('lost')), request('third')])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  const ended = ['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`])
  expect(order).toEqual(ended)
})
