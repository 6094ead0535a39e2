import { expect, test } from 'vitest'
import { endOfDay, lastLinkDay, linkEndProblem, linkExpiry } from './link-times.ts'

const now = new Date(2026, 10, 22, 13, 0, 0)

test('a link ends at 23:59:59 of the chosen day [OBJ-49]', () => {
  expect(new Date(endOfDay('2026-11-24'))).toEqual(new Date(2026, 10, 24, 23, 59, 59))
  expect(endOfDay('2026-02-30x')).toBeNaN()
})

test.each([
  ['2026-11-21', 'Selected date must be greater than current time.'],
  ['', 'Selected date must be greater than current time.'],
  ['2026-11-22', undefined],
  ['2026-11-28', undefined],
  ['2026-11-29', 'You can share a file only for less than 7 days.'],
])('the validation of the day %j returns %j [OBJ-49] [OBJ-50]', (day, problem) => {
  expect(linkEndProblem(endOfDay(day), now.getTime())).toBe(problem)
})

test('exactly seven days are allowed [OBJ-50]', () => {
  expect(linkEndProblem(now.getTime() + 604_800_000, now.getTime())).toBeUndefined()
  expect(linkEndProblem(now.getTime() + 604_800_001, now.getTime())).toBe(
    'You can share a file only for less than 7 days.',
  )
})

test('the last day that can be chosen', () => {
  expect(lastLinkDay(now)).toBe('2026-11-28')
})

test('the expiry of a link is read from its URL', () => {
  const link = 'https://s3/b/k?X-Amz-Date=20261122T120000Z&X-Amz-Expires=3600&X-Amz-Signature=x'
  expect(linkExpiry(link)).toBe(Date.parse('2026-11-22T13:00:00Z'))
  for (const other of ['', 'https://s3/b/k', 'https://s3/b/k?X-Amz-Date=soon&X-Amz-Expires=1'])
    expect(linkExpiry(other)).toBeUndefined()
})
