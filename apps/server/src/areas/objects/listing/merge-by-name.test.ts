import { compareKeys } from '@stowage/contract/objects/compare-keys'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeByName } from './merge-by-name.ts'

test('two ordered lists are merged into one', () => {
  const names = fc.array(fc.string({ unit: 'binary', maxLength: 4 }), { maxLength: 20 })
  const ordered = (list: string[], from: string) => list.sort(compareKeys).map((name) => ({ name, from }))
  fc.assert(
    fc.property(names, names, (a, b) => {
      const [left, right] = [ordered(a, 'a'), ordered(b, 'b')]
      const merged = mergeByName(left, right)
      expect(merged.map((item) => item.name)).toEqual([...a, ...b].sort(compareKeys))
      expect(merged.filter((item) => item.from === 'a')).toEqual(left)
    }),
  )
})
