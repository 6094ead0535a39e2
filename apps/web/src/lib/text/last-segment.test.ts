import { expect, test } from 'vitest'
import { lastSegment } from './last-segment.ts'

test.each([
  ['a/b/c', 'c'],
  ['a/b/', 'b/'],
  ['a', 'a'],
  ['/', '/'],
  ['a//', '/'],
])('the last segment of %s is %s', (key, expected) => expect(lastSegment(key)).toBe(expected))
