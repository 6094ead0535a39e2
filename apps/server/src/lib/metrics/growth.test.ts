import { expect, test } from 'vitest'
import { computeGrowth, forecastSize, theilSen } from './growth.ts'

const DAY = 86_400
const now = 20_000 * DAY

/** Returns the sizes of `count` days, the last of them now. */
const daily = (count: number, size: (day: number) => number) =>
  Array.from({ length: count }, (_, day) => ({ time: now - (count - 1 - day) * DAY, size: size(day) }))

test('growth is what was added since; null where the history does not go back so far', () => {
  const values = daily(40, (day) => day * 100)
  expect(computeGrowth({ values, createdAt: 0, now })).toEqual({ days7: 700, days30: 3000, days90: null })
  expect(computeGrowth({ values: [], createdAt: now - DAY, now })).toEqual({ days7: null, days30: null, days90: null })
})

test('a bucket that was created since began with nothing', () => {
  const values = daily(3, () => 500)
  expect(computeGrowth({ values, createdAt: now - 3 * DAY, now })).toEqual({ days7: 500, days30: 500, days90: 500 })
})

test('a gap of many days is no value of the day before it', () => {
  const values = [{ time: now - 60 * DAY, size: 5 }, ...daily(2, () => 900)]
  expect(computeGrowth({ values, createdAt: 0, now }).days30).toBeNull()
})

test('one great upload does not bend the slope', () => {
  const values = daily(30, (day) => day * 10 + (day === 12 ? 1_000_000 : 0))
  expect(theilSen(values) * DAY).toBeCloseTo(10)
})

test.each([
  [
    'a limit at the rate of the last 30 days',
    daily(60, (day) => (day < 30 ? 0 : (day - 29) * 10)),
    { state: 'growing', seconds: 70 * DAY },
  ],
  ['values of fewer than seven days', daily(6, (day) => day * 10), { state: 'too-short' }],
  ['flat values', daily(30, () => 10), { state: 'not-growing' }],
  ['falling values', daily(30, (day) => 900 - day), { state: 'not-growing' }],
  ['what is above the limit', daily(30, (day) => 1000 + day), { state: 'full' }],
  ['nothing', [], { state: 'too-short' }],
] as const)('forecast: %s', (_name, values, forecast) => expect(forecastSize({ values, now }, 1000)).toEqual(forecast))

test('many values of one day count as one day', () => {
  const values = Array.from({ length: 100 }, (_, i) => ({ time: now - i, size: 1000 - i }))
  expect(forecastSize({ values: values.toReversed(), now }, 5000)).toEqual({ state: 'too-short' })
})
