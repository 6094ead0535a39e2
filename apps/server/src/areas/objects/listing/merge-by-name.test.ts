import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareKeyBytes, mergeByName } from './merge-by-name.ts'

test('keys are ordered by bytes, not as JavaScript strings', () => {
  expect(['😀', '\uff5e', 'é', 'z', 'Z'].sort(compareKeyBytes)).toEqual(['Z', 'z', 'é', '\uff5e', '😀'])
})

test('two ordered lists are merged into one', () => {
  const names = fc.array(fc.string({ unit: 'binary', maxLength: 4 }), { maxLength: 20 })
  const ordered = (list: string[], from: string) => list.sort(compareKeyBytes).map((name) => ({ name, from }))
  fc.assert(
    fc.property(names, names, (a, b) => {
      const [left, right] = [ordered(a, 'a'), ordered(b, 'b')]
      const merged = mergeByName(left, right)
      expect(merged.map((item) => item.name)).toEqual([...a, ...b].sort(compareKeyBytes))
      expect(merged.filter((item) => item.from === 'a')).toEqual(left)
    }),
  )
})
