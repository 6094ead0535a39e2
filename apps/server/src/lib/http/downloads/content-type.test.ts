import { expect, test } from 'vitest'
import { guessContentType, previewContentType, userContentPolicy } from './content-type.ts'

test.each([
  ['image/png', 'x', 'image/png'],
  [undefined, 'a/b.png', 'image/png'],
  ['application/octet-stream', 'movie.mp4', 'video/mp4'],
  ['binary/octet-stream', 'x.json', 'application/json'],
  ['application/octet-stream', 'dir.png/file', 'application/octet-stream'],
  [undefined, 'table.parquet', 'application/octet-stream'],
])('stored as %s, key %s: %s', (stored, key, type) => expect(guessContentType(stored, key)).toBe(type))

test.each([
  ['image/jpeg', 'image/jpeg'],
  ['application/pdf', 'application/pdf'],
  ['Video/MP4; codecs="x"', 'video/mp4'],
  ['text/csv', 'text/plain; charset=utf-8'],
  ['application/json', 'text/plain; charset=utf-8'],
  ['text/html', undefined],
  ['text/html; charset=utf-8', undefined],
  ['text/xml', undefined],
  ['image/svg+xml', undefined],
  ['application/xhtml+xml', undefined],
  ['application/javascript', undefined],
])('%s is shown as %s [OBJ-37]', (type, shown) => expect(previewContentType(type)).toBe(shown))

test('content is sandboxed and runs no scripts', () => {
  expect(userContentPolicy('text/plain')).toContain('sandbox')
  for (const type of ['text/plain', 'application/pdf']) {
    expect(userContentPolicy(type)).toContain("default-src 'none'")
    expect(userContentPolicy(type)).not.toContain('script-src')
  }
})
