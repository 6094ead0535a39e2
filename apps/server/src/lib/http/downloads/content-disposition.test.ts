import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentDisposition, objectFileName } from './content-disposition.ts'
import { markMisleadingCharacters, shortenFileName } from './file-name.ts'

test.each([
  ['report.pdf', 'attachment; filename="report.pdf"'],
  ['a b;c.txt', 'attachment; filename="a b;c.txt"'],
  ['say "hi".txt', `attachment; filename="say _hi_.txt"; filename*=UTF-8''say%20%22hi%22.txt`],
  ['100%.txt', `attachment; filename="100_.txt"; filename*=UTF-8''100%25.txt`],
  ['tëst ü.txt', `attachment; filename="t_st _.txt"; filename*=UTF-8''t%C3%ABst%20%C3%BC.txt`],
  ["it's (1)*.txt", `attachment; filename="it's (1)*.txt"`],
  ["é's (1)*.txt", `attachment; filename="_'s (1)*.txt"; filename*=UTF-8''%C3%A9%27s%20%281%29%2A.txt`],
  ['line\r\nbreak', 'attachment; filename="line[U+000D][U+000A]break"'],
  ['invoice\u202efdp.exe', 'attachment; filename="invoice[U+202E]fdp.exe"'],
  ['ü\u202efdp.exe', `attachment; filename="_[U+202E]fdp.exe"; filename*=UTF-8''%C3%BC%5BU%2B202E%5Dfdp.exe`],
  ['😀', `attachment; filename="_"; filename*=UTF-8''%F0%9F%98%80`],
  ['', 'attachment; filename="download"'],
])('the name %j', (name, header) => expect(contentDisposition('attachment', name)).toBe(header))

test('every name gives a valid HTTP header that contains the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (name) => {
      const header = contentDisposition('inline', name)
      expect(header).toMatch(/^[\x20-\x7e]*$/)
      const extended = /filename\*=UTF-8''(\S+)$/.exec(header)?.[1]
      const shown = extended ? decodeURIComponent(extended) : (/filename="(.*)"$/.exec(header)?.[1] ?? '')
      expect(shown).toBe(shortenFileName(markMisleadingCharacters(name)) || 'download')
    }),
  )
})

test('the longest possible key gives a header that proxies accept', () => {
  for (const name of [
    '\u0000'.repeat(1024),
    '\u202e'.repeat(341),
    'ü'.repeat(512),
    '😀'.repeat(256),
    `${'x'.repeat(1020)}.pdf`,
  ])
    expect(contentDisposition('attachment', name).length).toBeLessThan(1200)
  expect(contentDisposition('attachment', `${'x'.repeat(1020)}.pdf`)).toMatch(/~[0-9a-f]{8}\.pdf"$/)
})

test('an object is saved with the last part of its key as name', () => {
  expect(objectFileName('a/b/c.txt')).toBe('c.txt')
  expect(objectFileName('c.txt')).toBe('c.txt')
})
