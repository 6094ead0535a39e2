// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { toInstant, toLocalText } from './past.ts'

test('a time is unchanged after a round trip through its field, to the second', () => {
  const moment = new Date('2026-03-29T01:30:05.000Z')
  expect(toLocalText(moment)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:05$/)
  expect(toInstant(toLocalText(moment))).toBe(moment.toISOString())
  expect(toInstant('')).toBeUndefined()
})
