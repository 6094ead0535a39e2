import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareKeys } from './compare-keys.ts'

test('keys are ordered by bytes, not as JavaScript strings', () => {
  expect(['😀', '\uff5e', 'é', 'z', 'Z'].sort(compareKeys)).toEqual(['Z', 'z', 'é', '\uff5e', '😀'])
})

const key = fc
  .array(fc.constantFrom('a', 'b', '/', '\uff5e', '😀', '\ud7ff', '\ue000', '\u0000', '\u{10ffff}', ' '), {
    maxLength: 5,
  })
  .map((characters) => characters.join(''))

test('keys are ordered by their UTF-8 bytes', () => {
  fc.assert(
    fc.property(key, key, (a, b) => {
      expect(Math.sign(compareKeys(a, b))).toBe(Math.sign(Buffer.from(a).compare(Buffer.from(b))))
    }),
  )
})
