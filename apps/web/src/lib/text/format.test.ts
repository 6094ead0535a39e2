import { expect, test } from 'vitest'
import {
  formatAge,
  formatCount,
  formatDate,
  formatDateTime,
  formatDuration,
  formatNanoseconds,
  formatPercent,
} from './format.ts'

const DAY = 86_400

test.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [59.9, '59 seconds'],
  [60, '1 minute'],
  [3_599, '59 minutes'],
  [3_600, '1 hour'],
  [DAY - 1, '23 hours'],
  [DAY, '1 day'],
  [6 * DAY, '6 days'],
  [7 * DAY, '1 week'],
  [30 * DAY, '4 weeks'],
  [31 * DAY, '1 month, 1 day'],
  [60 * DAY, '2 months'],
  [365 * DAY, '12 months, 5 days'],
  [366 * DAY, '1 year'],
  [800 * DAY, '2 years'],
])('%d seconds are formatted as "%s" [SHL-47]', (seconds, text) => expect(formatDuration(seconds)).toBe(text))

test.each([
  [1_500_000_000, '1.5000 s'],
  [123_456, '0.0001 s'],
  [0, '0.0000 s'],
])('%d nanoseconds are formatted as "%s" [SHL-48]', (ns, text) => expect(formatNanoseconds(ns)).toBe(text))

test('dates are YYYY-MM-DD, and a number is epoch seconds [SHL-49] [SHL-52]', () => {
  const noon = new Date(2026, 10, 9, 12, 4, 5)
  expect(formatDate(noon)).toBe('2026-11-09')
  expect(formatDate(noon.getTime() / 1000)).toBe('2026-11-09')
  expect(formatDate(noon.toISOString())).toBe('2026-11-09')
  expect(formatDateTime(noon)).toBe('2026-11-09 12:04:05')
})

test('a missing or invalid date is formatted as an en dash', () => {
  expect(formatDate('0001-01-01T00:00:00Z')).toBe('–')
  expect(formatDateTime('')).toBe('–')
})

test.each([
  [0, '0%'],
  [0.004, '<1%'],
  [0.5, '50%'],
  [0.996, '99%'],
  [1, '100%'],
  [1.207, '120%'],
])('a ratio of %d is formatted as %s', (share, text) => expect(formatPercent(share)).toBe(text))

test('counts have thousands separators', () => expect(formatCount(1_204_882)).toBe('1,204,882'))

test.each([
  [10_000, 'just now'],
  [125_000, '2 minutes ago'],
  [7_300_000, '2 hours ago'],
  [2 * DAY * 1000, '2 days ago'],
])('%d ms ago is formatted as "%s"', (ms, text) => expect(formatAge(new Date(1e12 - ms), 1e12)).toBe(text))
