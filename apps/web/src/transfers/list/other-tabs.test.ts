import { expect, test } from 'vitest'
import { connectTabs } from './other-tabs.ts'

test('a tab finds out which uploads other tabs are working on', async () => {
  using first = connectTabs(() => ['a', 'b'])
  using second = connectTabs(() => ['b', 'c'])
  using third = connectTabs(() => [])
  expect(await third.heldByOtherTabs(['a', 'c', 'x'])).toEqual(new Set(['a', 'c']))
  expect(await first.heldByOtherTabs(['a', 'c'])).toEqual(new Set(['c']))
  expect(await second.heldByOtherTabs(['x'])).toEqual(new Set())
})
