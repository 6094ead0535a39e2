import { expect, test } from 'vitest'
import { fromEditedText, toEditedText } from './edited-text.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test.each(['', 'a', 'a\nb\n', 'a\r\nb\r\n', '\ufeffa\r\nb', 'ü😀\n\n', 'a\u0001\tb', '\ufeff'])(
  '%j is unchanged if nothing is edited',
  (text) => {
    const edited = toEditedText(bytes(text))
    if (typeof edited === 'string') throw new Error(edited)
    expect(edited.text).not.toContain('\r')
    expect(fromEditedText(edited)).toBe(text)
  },
)

test.each([
  ['a\nb\r\n', 'line-ends'],
  ['a\rb', 'line-ends'],
  ['a\0b', 'binary'],
])('%j cannot be edited: %s', (text, reason) => expect(toEditedText(bytes(text))).toBe(reason))

test('bytes that are not UTF-8 cannot be edited', () => {
  expect(toEditedText(new Uint8Array([0x61, 0xe9, 0x62]))).toBe('encoding')
})
