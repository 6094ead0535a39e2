import { expect, test } from 'vitest'
import { RecentIds } from './recent-ids.ts'

test('the latest IDs are remembered, and the memory for them is limited', () => {
  const ids = new RecentIds(3)
  const all = Array.from({ length: 10 }, (_, n) => `id${n}`)
  for (const [n, id] of all.entries()) {
    ids.add(id)
    for (const recent of all.slice(Math.max(0, n - 2), n + 1)) expect(ids.has(recent)).toBe(true)
  }
  expect(all.filter((id) => ids.has(id)).length).toBeLessThanOrEqual(6)
  expect(ids.has('id11')).toBe(false)
})
