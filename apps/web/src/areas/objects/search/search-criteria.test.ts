// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { invalidFields, NO_CRITERIA, parseCriteria, parseSizeText, toSearchQuery } from './search-criteria.ts'

test.each([
  ['4096', 4096],
  ['10 MiB', 10 * 1024 ** 2],
  ['1.5g', 1.5 * 1024 ** 3],
  ['0,5 KB', 512],
  ['10 b', 10],
  ['ten', undefined],
  ['-1', undefined],
  ['10 MiBs', undefined],
  ['999999999999999 P', undefined],
])('size %s: %s', (text, bytes) => {
  expect(parseSizeText(text)).toBe(bytes)
})

test('the criteria in a URL become a query without empty fields', () => {
  const typed = parseCriteria('?name=*.log&min=1k&after=2026-11-20T12:00:00&tag=team%3Dblue&other=x')
  expect(toSearchQuery(typed)).toEqual({
    name: '*.log',
    min_size: 1024,
    after: new Date('2026-11-20T12:00:00').toISOString(),
    tag: 'team=blue',
  })
  expect(toSearchQuery(NO_CRITERIA)).toEqual({})
})

test('invalid fields are reported', () => {
  expect(invalidFields({ ...NO_CRITERIA, min: 'much', max: '1 GiB', before: 'soon' })).toEqual(['min', 'before'])
})
