import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readHeaderText, readUserMetadata, writeHeaderText } from './object-headers.ts'

test('every text can be written to a header and read back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const written = writeHeaderText(text)
      expect(written).toMatch(/^[\x20-\x7e]*$/)
      // A text that looks like an encoded word is decoded, as any reader of headers does.
      if (!/=\?utf-8\?/i.test(text)) expect(readHeaderText(written)).toBe(text)
    }),
  )
})

test.each([
  ['plain', 'plain'],
  ['=?UTF-8?Q?caf=C3=A9_au_lait?=', 'café au lait'],
  ['=?utf-8?b?Y2Fmw6k=?= =?utf-8?b?IQ==?=', 'café!'],
  // UTF-8 bytes as node:http returns them.
  [Buffer.from('café').toString('latin1'), 'café'],
  // Neither: left unchanged.
  ['\xff', '\xff'],
  ['=?UTF-8?B?/w==?=', '=?UTF-8?B?/w==?='],
])('the header %j reads %j', (value, text) => expect(readHeaderText(value)).toBe(text))

test('user metadata is returned without its prefix, other headers are not', () => {
  expect(readUserMetadata({ 'x-amz-meta-colour': 'blue', 'content-type': 'text/plain' })).toEqual({ colour: 'blue' })
})
