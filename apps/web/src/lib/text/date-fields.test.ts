import { afterEach, describe, expect, test } from 'vitest'
import { endOfUtcDay, localDayField, localTimeField, parseLocalTimeField, utcDayField } from './date-fields.ts'
import { formatDate } from './format.ts'

const { TZ } = process.env
afterEach(() => {
  if (TZ === undefined) delete process.env.TZ
  else process.env.TZ = TZ
})

/** A day and its neighbours in each zone, both changes of the clock, and the ends of a year. */
const moments = [
  '2026-01-01T00:00:00Z',
  '2026-12-31T23:59:59Z',
  '2026-03-08T10:30:00Z',
  '2026-03-29T01:30:05Z',
  '2026-10-25T00:30:00Z',
  '2026-10-25T01:30:00Z',
  '2026-11-01T08:30:00Z',
  '2026-11-01T09:30:00Z',
  '2027-05-05T14:59:59Z',
  '2027-05-05T15:00:00Z',
]

describe.each(['Asia/Tokyo', 'America/Los_Angeles', 'UTC', 'Europe/Berlin'])('in %s', (zone) => {
  test('a field that is not changed returns the time that it was filled with', () => {
    process.env.TZ = zone
    for (const time of moments) {
      expect(parseLocalTimeField(localTimeField(time), time)).toBe(time)
      expect(parseLocalTimeField(localTimeField(time, 'minutes'), time)).toBe(time)
    }
  })

  test('a day in UTC is the same in every zone, and its end is in it', () => {
    process.env.TZ = zone
    for (const time of moments) {
      expect(utcDayField(time)).toBe(time.slice(0, 10))
      expect(utcDayField(endOfUtcDay(utcDayField(time)))).toBe(time.slice(0, 10))
    }
  })

  test('a local day is that of the clock on the wall', () => {
    process.env.TZ = zone
    expect(localDayField(new Date(2026, 0, 5))).toBe('2026-01-05')
    expect(parseLocalTimeField('2026-01-05T06:07:08')).toBe(new Date(2026, 0, 5, 6, 7, 8).toISOString())
  })

  test('a day without a time is shown as that day', () => {
    process.env.TZ = zone
    expect(formatDate('2026-11-22')).toBe('2026-11-22')
  })
})

test('an empty or invalid field has no time', () => {
  expect([parseLocalTimeField(''), parseLocalTimeField('x'), utcDayField(undefined), utcDayField('x')]).toEqual([
    undefined,
    undefined,
    '',
    '',
  ])
  expect(localTimeField(undefined)).toBe('')
})
