import { expect, test } from 'vitest'
import { isMisleading, plainName } from './visible-name.ts'

test.each([
  ['media-archive', 'media-archive'],
  ['Ünïcode 日本 🚢', 'Ünïcode 日本 🚢'],
  ['👩‍🚀.png', '👩‍🚀.png'],
  ['invoice\u202efdp.exe', 'invoice[RLO]fdp.exe'],
  ['a\u0000b\nc', 'a[U+0000]b[LF]c'],
  ['a\u200bb', 'a[ZWSP]b'],
  ['a\u200db', 'a[ZWJ]b'],
  [' a b ', '[SP]a b[SP]'],
  ['x\u00a0y', 'x[NBSP]y'],
])('%j is shown as %s', (name, shown) => {
  expect(plainName(name)).toBe(shown)
  expect(isMisleading(name)).toBe(name !== shown)
})
