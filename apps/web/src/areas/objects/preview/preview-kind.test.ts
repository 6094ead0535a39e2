import { expect, test } from 'vitest'
import { parseCsvRows, previewKind } from './preview-kind.ts'

test.each([
  ...['jpg', 'jpeg', 'gif', 'png', 'JPG'].map((extension) => [extension, 'image']),
  ['pdf', 'document'],
  ['txt', 'text'],
  ['md', 'markdown'],
  ...['wav', 'mp3', 'aac'].map((extension) => [extension, 'audio']),
  ['mp4', 'video'],
  ['csv', 'table'],
  ['zip', 'none'],
  ['constructor', 'none'],
])('a name that ends with .%s is shown as %s [OBJ-37]', (extension, kind) => {
  expect(previewKind(`a.b.${extension}`)).toBe(kind)
})

test.each([
  ['notes', 'text/plain; charset=utf-8', 'text'],
  ['data', 'application/json', 'json'],
  ['feed', 'application/geo+json; charset=utf-8', 'json'],
  ['lines.jsonl', 'application/json', 'text'],
  ['photo', 'image/webp', 'image'],
  ['archive', 'application/octet-stream', 'none'],
  ['dir.txt/file', '', 'none'],
])('%s of type %j is shown as %s', (name, type, kind) => expect(previewKind(name, type)).toBe(kind))

test('a table supports quoted fields and the separator of its first line', () => {
  expect(parseCsvRows('a,b\n"x, ""y""",2\r\n')).toEqual([
    ['a', 'b'],
    ['x, "y"', '2'],
  ])
  expect(parseCsvRows('a;b\n1,5;2')).toEqual([
    ['a', 'b'],
    ['1,5', '2'],
  ])
  expect(parseCsvRows('')).toEqual([])
})
