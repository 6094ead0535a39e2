import { expect, test } from 'vitest'
import { lonely } from './chart-options.ts'

test.each<[(number | null)[], number[]]>([
  [[5], [0]],
  [[null, 5, null], [1]],
  [
    [1, 2, null, 3, null, 4],
    [3, 5],
  ],
  [[1, 2, 3], []],
  [[], []],
])('of %j the values that no line shows are drawn as points', (values, points) => {
  expect(lonely(values)).toEqual(points)
})
