import { expect, test } from 'vitest'
import { openTabs } from './tabs.ts'

test('a tab finds out which uploads other tabs are working on', async () => {
  using first = openTabs(() => ['a', 'b'])
  using second = openTabs(() => ['b', 'c'])
  using third = openTabs(() => [])
  expect(await third.heldElsewhere(['a', 'c', 'x'])).toEqual(new Set(['a', 'c']))
  expect(await first.heldElsewhere(['a', 'c'])).toEqual(new Set(['c']))
  expect(await second.heldElsewhere(['x'])).toEqual(new Set())
})
