import { expect, test } from 'vitest'
import { zipFileName } from './zip-entries.ts'
import { zipPath } from './zip-path.ts'

test.each([
  ['a/b.txt', 'a/b.txt'],
  ['/a', 'a'],
  ['a//b', 'a/b'],
  ['../../etc/passwd', '__/__/etc/passwd'],
  ['a/./b', 'a/_/b'],
  ['a/..b', 'a/..b'],
  ['C:\\x', 'C__x'],
  ['a\\..\\b', 'a_.._b'],
  ['dir/', 'dir/'],
  ['😀 ü', '😀 ü'],
  ['d/invoice\u202efdp.exe', 'd/invoice[U+202E]fdp.exe'],
  ['a\nb/c\u0000', 'a[U+000A]b/c[U+0000]'],
])('the key %j has the path %j in a zip', (key, path) => expect(zipPath(key)).toBe(path))

test.each([
  ['a/b/', 'b.zip'],
  ['b/', 'b.zip'],
  ['/', 'bucket.zip'],
])('the folder %j is saved as %j', (folder, name) => expect(zipFileName(folder, 'bucket')).toBe(name))

test('a name that is too long for a file is cut, keeps its extension and stays unique', () => {
  const [a, b] = [zipPath(`d/${'ü'.repeat(500)}1.txt`), zipPath(`d/${'ü'.repeat(500)}2.txt`)]
  for (const path of [a, b]) {
    expect(path).toMatch(/^d\/ü+~[0-9a-f]{8}\.txt$/)
    expect(Buffer.byteLength(path)).toBeLessThanOrEqual(255 + 2)
  }
  expect(a).not.toBe(b)
})
