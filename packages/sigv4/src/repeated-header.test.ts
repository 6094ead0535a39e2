import { expect, test } from 'vitest'
import { findRepeatedHeader } from './repeated-header.ts'

test.each([
  [['Host', 'a', 'Accept', 'x', 'accept', 'y', 'Authorization', 'z'], undefined],
  [['Host', 'a', 'hOST', 'a'], 'host'],
  [['Authorization', 'a', 'Host', 'b', 'authorization', 'c'], 'authorization'],
  [[], undefined],
])('%j: %s', (headers, name) => expect(findRepeatedHeader(headers)).toBe(name))
