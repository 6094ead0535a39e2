import { expect, test } from 'vitest'
import { t } from '../../../lib/text/i18n.ts'
import { isCompleteRetention, validityText } from './RetentionFields.tsx'

test.each([
  ['days', 1, 'Validity: 1 day'],
  ['days', 2, 'Validity: 2 days'],
  ['years', 1, 'Validity: 1 year'],
  ['years', 10, 'Validity: 10 years'],
] as const)('%s, %d: %s [BKT-44]', (unit, validity, text) => expect(validityText({ unit, validity }, t)).toBe(text))

test.each([
  ['', false],
  [0, false],
  [-1, false],
  [1.5, false],
  [1, true],
  [365, true],
] as const)('a validity of %j can be saved: %s [BKT-45]', (validity, saved) =>
  expect(isCompleteRetention({ mode: 'compliance', unit: 'days', validity })).toBe(saved),
)
