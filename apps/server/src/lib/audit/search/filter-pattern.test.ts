import { expect, test } from 'vitest'
import { compileFilterPattern, findLongestText, toLikePattern } from './filter-pattern.ts'

test.each([
  ['photos', 'photos', true],
  ['photos', 'photos2', false],
  ['Photos', 'photos', false],
  ['photo*', 'photos', true],
  ['*.jpg', 'lake.jpg', true],
  ['*.jpg', 'lakexjpg', true],
  ['*\\.jpg', 'lakexjpg', false],
  ['*\\.jpg', 'lake.jpg', true],
  ['a.c', 'abc', true],
  ['a.c', 'ac', false],
  ['\\*', '*', true],
  ['\\*', 'x', false],
  ['100%_\'"', '100%_\'"', true],
  ['100%', '100 percent', false],
  ['*', '', true],
  ['.', '', false],
  ['a\\', 'a\\', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
] as const)('[LGS-06] %s and %s: %s', (pattern, value, fits) => expect(compileFilterPattern(pattern)(value)).toBe(fits))

test('a pattern of many stars is quick', () => {
  expect(compileFilterPattern(`${'*a'.repeat(500)}b`)('a'.repeat(4000))).toBe(false)
})

test.each([
  ['photos', 'photos'],
  ['*photos*', 'photos'],
  ['a*bcd.ef', 'bcd'],
  ['ab\\*cd*efg', 'ab*cd'],
  ['a\\', 'a\\'],
  ['a\\\\b', 'a\\b'],
  ['*', ''],
] as const)('every value that matches %s contains %s', (pattern, text) => expect(findLongestText(pattern)).toBe(text))

test.each([
  ['photo*', 'photo%'],
  ['a.c', 'a_c'],
  ['100%_\\*', '100\\%\\_*'],
  ['a\\\\b\\', 'a\\\\b\\\\'],
] as const)('%s is %s in SQL', (pattern, like) => expect(toLikePattern(pattern)).toBe(like))
