import { expect, test } from 'vitest'
import { wildcardPattern } from './wildcard.ts'

test.each<['.' | '?', string, string, boolean]>([
  ['?', 'a?c', 'abc', true],
  ['?', 'a.c', 'abc', false],
  ['?', 'a\\?c', 'abc', false],
  ['?', 'a\\?c', 'a?c', true],
  ['?', '\\\\*', '\\x', true],
  ['?', 'a\\', 'a\\', true],
  ['?', 'a\\\n*', 'a\nb', true],
  ['?', '?', 'é', true],
  ['.', 'a.c', 'abc', true],
  ['.', 'a?c', 'abc', false],
  ['.', 'a?c', 'a?c', true],
])('with %s: %j on %j: %s', (one, pattern, value, fits) => expect(wildcardPattern(pattern, one)(value)).toBe(fits))
