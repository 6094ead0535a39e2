import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markMisleadingCharacters } from './file-name.ts'

test.each([
  ['report.pdf', 'report.pdf'],
  ['Ünïcode 日本 🚢 👩‍🚀.png', 'Ünïcode 日本 🚢 👩‍🚀.png'],
  ['invoice\u202efdp.exe', 'invoice[U+202E]fdp.exe'],
  ['\u2067a\u2069\u200f\u061c', '[U+2067]a[U+2069][U+200F][U+061C]'],
  ['line\r\nbreak\u2028', 'line[U+000D][U+000A]break[U+2028]'],
  ['half\ud83d', 'half[U+D83D]'],
  ['a[U+202E]b', 'a[U+005B]U+202E]b'],
  ['[1]', '[1]'],
])('the name %j is shown as %s', (name, shown) => expect(markMisleadingCharacters(name)).toBe(shown))

test('different names stay different, and no name is misleading', () => {
  const unit = fc.constantFrom(
    'a',
    '[',
    ']',
    'U',
    '+',
    '202E',
    '005B',
    '\u202e',
    '\u0000',
    '\ud83d',
    '\u2028',
    '[U+202E]',
  )
  const name = fc.oneof(fc.string({ unit, maxLength: 8 }), fc.string({ unit: 'binary', maxLength: 8 }))
  fc.assert(
    fc.property(name, name, (a, b) => {
      expect(markMisleadingCharacters(a) === markMisleadingCharacters(b)).toBe(a === b)
      expect(markMisleadingCharacters(a)).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u)
    }),
    { numRuns: 2000 },
  )
})
