// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { dateTimeFieldText, parseDateTimeField } from './past-view.ts'

test('a time is unchanged after a round trip through its field, to the second', () => {
  const moment = new Date('2026-03-29T01:30:05.000Z')
  expect(dateTimeFieldText(moment)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:05$/)
  expect(parseDateTimeField(dateTimeFieldText(moment))).toBe(moment.toISOString())
  expect(parseDateTimeField('')).toBeUndefined()
})
