import { expect, test } from 'vitest'
import { zipPath } from './zip.ts'
import { zipName } from './zip-entries.ts'

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
])('the key %j stands in a zip as %j', (key, path) => expect(zipPath(key)).toBe(path))

test.each([
  ['a/b/', 'b.zip'],
  ['b/', 'b.zip'],
  ['/', 'bucket.zip'],
])('the folder %j is saved as %j', (folder, name) => expect(zipName(folder, 'bucket')).toBe(name))
