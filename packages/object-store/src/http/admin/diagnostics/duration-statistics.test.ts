import { expect, test } from 'vitest'
import { durationStatistics } from './duration-statistics.ts'

test('durations become figures in nanoseconds', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i)
  expect(durationStatistics(hundred)).toMatchObject({
    avg: 50.5e6,
    p50: 51e6,
    p99: 100e6,
    l5p: 98e6,
    s5p: 3e6,
    max: 100e6,
    min: 1e6,
    range: 99e6,
  })
  expect(durationStatistics(hundred).sdev).toBeCloseTo(28.866e6, -4)
})

test('without a duration every figure is 0', () => {
  expect(new Set(Object.values(durationStatistics([])))).toEqual(new Set([0]))
})
