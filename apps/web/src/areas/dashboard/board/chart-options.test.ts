import { GiB, MiB, type SizeUnit, sizeUnits } from '@stowage/contract'
import { expect, test } from 'vitest'
import { isolatedIndices, spacedTimes } from './chart-options.ts'
import { sizeRange, sizeTicks } from './chart-ticks.ts'

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
  expect(isolatedIndices(values)).toEqual(points)
})

const labels = (least: number, most: number, count = 4) => sizeTicks(least, most, count).map(({ label }) => label)

test.each<[number, number, string[]]>([
  [0, 4, ['0', '1 B', '2 B', '3 B', '4 B']],
  [0, 1.1 * GiB, ['0', '0.5 GiB', '1.0 GiB']],
  [0, 900 * MiB, ['0', '256 MiB', '512 MiB', '768 MiB']],
  [99.9 * GiB, 100.1 * GiB, ['99.90 GiB', '99.95 GiB', '100.00 GiB', '100.05 GiB', '100.10 GiB']],
  [1023 * MiB, 1025 * MiB, ['0.9995 GiB', '1.0000 GiB', '1.0005 GiB']],
  [0, 1, ['0', '1 B']],
])('an axis of sizes from %d to %d has the labels %j', (least, most, expected) => {
  expect(labels(least, most)).toEqual(expected)
})

test('an axis of sizes never shows a label twice, and each label is the value itself', () => {
  for (let most = 1; most < 2 ** 60; most = Math.ceil(most * 7.3)) {
    for (const least of [0, most * 0.5, most * 0.99, most * 0.999_999, most]) {
      const [low, high] = sizeRange(least, most)
      expect(low).toBeLessThanOrEqual(least)
      expect(high).toBeGreaterThanOrEqual(most)
      const ticks = sizeTicks(low, high, 4)
      expect(ticks.length, `${least} to ${most}`).toBeGreaterThanOrEqual(2)
      expect(ticks.length).toBeLessThanOrEqual(5)
      expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length)
      for (const { value, label } of ticks) {
        expect(Math.abs(toBytes(label) - value)).toBeLessThanOrEqual(value * 1e-9)
        expect(label.length).toBeLessThan(14)
      }
    }
  }
})

function toBytes(label: string): number {
  const [figure, unit] = label.split(' ')
  return Number(figure) * 1024 ** Math.max(0, sizeUnits.indexOf(unit as SizeUnit))
}

test('labels of times are at most as many as fit, and cover the whole range', () => {
  const DAYS = 28 * 86_400
  const times = Array.from({ length: 60 }, (_, n) => n * 40_320)
  expect(spacedTimes(times, 5, 0, DAYS, 100)).toHaveLength(11)
  const few = spacedTimes(times, 5, 0, DAYS, 6)
  expect(few).toHaveLength(7)
  expect([few[0], few.at(-1)]).toEqual([0, DAYS])
})
