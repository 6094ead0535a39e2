import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readHeaderText, userMetadataOf, writeHeaderText } from './metadata.ts'

test('every text comes back from a header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const written = writeHeaderText(text)
      expect(written).toMatch(/^[\x20-\x7e]*$/)
      // A text that looks like an encoded word is read as one, as every reader of headers does.
      if (!/=\?utf-8\?/i.test(text)) expect(readHeaderText(written)).toBe(text)
    }),
  )
})

test.each([
  ['plain', 'plain'],
  ['=?UTF-8?Q?caf=C3=A9_au_lait?=', 'café au lait'],
  ['=?utf-8?b?Y2Fmw6k=?= =?utf-8?b?IQ==?=', 'café!'],
  // Bytes of UTF-8 as node:http shows them.
  [Buffer.from('café').toString('latin1'), 'café'],
  // Neither: left alone.
  ['\xff', '\xff'],
  ['=?UTF-8?B?/w==?=', '=?UTF-8?B?/w==?='],
])('the header %j reads %j', (value, text) => expect(readHeaderText(value)).toBe(text))

test('user metadata has no prefix, and other headers are none', () => {
  expect(userMetadataOf({ 'x-amz-meta-colour': 'blue', 'content-type': 'text/plain' })).toEqual({ colour: 'blue' })
})
