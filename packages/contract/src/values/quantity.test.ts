import { expect, test } from 'vitest'
import {
  addQuantities,
  compareQuantities,
  formatAmount,
  formatQuantity,
  parseQuantity,
  quantityAmount,
  quantityValue,
  roundUp,
} from './quantity.ts'

/** As entered, as a real API server stored it (sandbox/tests/recorded/kinds.json), and in whole base units. */
const examples: [string, string, bigint][] = [
  ['0', '0', 0n],
  ['0Gi', '0', 0n],
  ['10Gi', '10Gi', 10737418240n],
  ['1024Mi', '1Gi', 1073741824n],
  ['1025Ki', '1025Ki', 1049600n],
  ['1.5Gi', '1536Mi', 1610612736n],
  ['0.5Ki', '512', 512n],
  ['1.1Ki', '1126400m', 1127n],
  ['1073741824', '1073741824', 1073741824n],
  ['1073741824e3', '1073741824e3', 1073741824000n],
  ['1000', '1k', 1000n],
  ['1500', '1500', 1500n],
  ['100000', '100k', 100000n],
  ['2000k', '2M', 2000000n],
  ['1E', '1E', 1000000000000000000n],
  ['1e3', '1e3', 1000n],
  ['1E3', '1E3', 1000n],
  ['3e2', '300', 300n],
  ['100e-2', '1', 1n],
  ['1e-3', '1e-3', 1n],
  ['0.1', '100m', 1n],
  ['500m', '500m', 1n],
  ['1000m', '1', 1n],
  ['1500m', '1500m', 2n],
  ['.5', '500m', 1n],
  ['5.', '5.', 5n],
  ['+5', '+5', 5n],
  ['1n', '1m', 1n],
  ['0.1n', '1m', 1n],
  ['9223372036854775807', '9223372036854775807', 9223372036854775807n],
  ['9223372036854775808', '9223372036854775808', 9223372036854775807n],
  ['8Ei', '9223372036854775807', 9223372036854775807n],
  ['1e400', '10e399', 9223372036854775807n],
  ['.', '0', 0n],
  ['Gi', '0', 0n],
]

test.each(examples)('%s is stored as %s and is %s', (text, stored, value) => {
  const quantity = parseQuantity(text)
  expect(quantity && formatQuantity(roundUp(quantity, -3))).toBe(stored)
  expect(quantityValue(text)).toBe(value)
})

test.each([
  ['-1500m', '-1500m', -2n],
  ['-10Gi', '-10Gi', -10737418240n],
])('%s is negative', (text, written, value) => {
  const quantity = parseQuantity(text)
  expect(quantity && formatQuantity(quantity)).toBe(written)
  expect(quantityValue(text)).toBe(value)
})

test.each(['', '1gi', '1 Gi', '1GiB', '1e', '0x10', '1,5', '--1', '1_000', 'NaN', '1e3e3'])(
  '%j is not a quantity',
  (text) => {
    expect(parseQuantity(text)).toBeUndefined()
    expect(() => quantityValue(text)).toThrow(TypeError)
  },
)

test.each([
  ['1Gi', '1Gi', '2Gi', 0],
  ['6Gi', '4Gi', '10Gi', 1],
  ['1', '500m', '1500m', 1],
  ['0', '1Gi', '1Gi', -1],
  ['1k', '1Ki', '2024', -1],
])('%s and %s are %s', (a, b, sum, order) => {
  const [left, right] = [parseQuantity(a), parseQuantity(b)]
  if (!left || !right) throw new Error('not read')
  expect(formatQuantity(addQuantities(left, right))).toBe(sum)
  expect(compareQuantities(left, right)).toBe(order)
})

test.each<[unknown, number]>([
  ['10Gi', 10 * 2 ** 30],
  ['1.5Gi', 1.5 * 2 ** 30],
  ['10e9', 1e10],
  ['8Ei', Number.MAX_SAFE_INTEGER],
  [4, 4],
  ['10 GB', 0],
  [undefined, 0],
])('the amount of %j is %j', (text, amount) => expect(quantityAmount(text)).toBe(amount))

test.each([
  [0, '0'],
  [2 * 2 ** 30, '2Gi'],
  [1.5 * 2 ** 30, '1536Mi'],
  [1500, '1500'],
  [2000, '2000'],
  [4, '4'],
  [0.5, '500m'],
  [1.5, '1500m'],
])('%j is written as %s', (amount, text) => expect(formatAmount(amount)).toBe(text))

test('very large exponents and lengths are handled quickly', () => {
  const start = performance.now()
  expect(parseQuantity(`${'0'.repeat(1_000_000)}!`)).toBeUndefined()
  expect(parseQuantity(`${'9'.repeat(999)}!`)).toBeUndefined()
  expect(quantityValue('1e999999999')).toBe(9223372036854775807n)
  expect(quantityValue('1e-999999999')).toBe(1n)
  expect(performance.now() - start).toBeLessThan(100)
})
