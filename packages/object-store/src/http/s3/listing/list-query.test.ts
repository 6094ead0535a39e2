import { expect, test } from 'vitest'
import { encodeName } from './list-query.ts'

test.each([
  ['a/b', 'a/b'],
  ['a b', 'a+b'],
  ['a+b', 'a%2Bb'],
  ["-_.*!'()~", '-_.*%21%27%28%29%7E'],
  ['ü😀', '%C3%BC%F0%9F%98%80'],
  ['100%', '100%25'],
])('%s is listed as %s', (name, encoded) => {
  expect(encodeName(name)).toBe(encoded)
})
