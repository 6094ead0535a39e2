import { GiB, KiB, sizeUnits, TiB } from '@stowage/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isValidSize, normalizeDecimal, sizeToBytes, splitSize } from './size.ts'

const units = sizeUnits.slice(1, 6)

test.each([
  [TiB, 1, 'TiB'],
  [20 * TiB, 20, 'TiB'],
  [1.5 * GiB, 1.5, 'GiB'],
  [1500 * GiB, 1500, 'GiB'],
  [0, '', 'KiB'],
  [100, 0.098, 'KiB'],
])('%d bytes are edited as %s %s', (bytes, number, unit) => expect(splitSize(bytes, units)).toEqual({ number, unit }))

test.each([
  ['', 'TiB', 0],
  ['abc', 'TiB', 0],
  [-1, 'TiB', 0],
  ['2', 'KiB', 2 * KiB],
  [0.5, 'TiB', TiB / 2],
] as const)('%s %s are %d bytes', (typed, unit, bytes) => expect(sizeToBytes(typed, unit)).toBe(bytes))

test('a whole number of a unit is unchanged after a round trip through bytes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), fc.constantFrom('KiB', 'MiB', 'GiB', 'TiB'), (n, unit) => {
      const bytes = sizeToBytes(n, unit)
      const shown = splitSize(bytes, units)
      expect(sizeToBytes(shown.number, shown.unit)).toBe(bytes)
    }),
  )
})

test.each([
  ['1,5', '1.5'],
  [' 20 ', '20'],
  ['', ''],
  ['.5', '.5'],
  ['1,234.5', undefined],
  ['1.2345', undefined],
  ['-1', undefined],
  ['1e9', undefined],
])('the input %s is normalized to %s', (text, number) => expect(normalizeDecimal(text)).toBe(number))

test.each([
  [0, false],
  [1, true],
  [8191.999 * TiB, true],
  [8192 * TiB, false],
])('%d bytes are a valid size: %s', (bytes, is) => expect(isValidSize(bytes)).toBe(is))
