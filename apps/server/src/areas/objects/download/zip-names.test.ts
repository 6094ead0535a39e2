import { expect, test } from 'vitest'
import { ZipNames } from './zip-names.ts'
import { zipPath } from './zip-path.ts'

/** Returns the paths in a zip of these keys, named like `openEntries` in zip-items.ts does. */
function zipPaths(keys: readonly string[]) {
  const names = new ZipNames(['REPORT.txt'])
  return keys.map(zipPath).map((path) => (path.endsWith('/') ? names.folder(path.slice(0, -1)) : names.file(path)))
}

test.each([
  [
    ['d/a//b', 'd/a/b'],
    ['d/a/b', 'd/a/b (2)'],
  ],
  [
    ['d/a\\b', 'd/a_b'],
    ['d/a_b', 'd/a_b (2)'],
  ],
  [
    ['d/../e', 'd/__/e'],
    ['d/__/e', 'd/__/e (2)'],
  ],
  [
    ['d/./f', 'd/_/f'],
    ['d/_/f', 'd/_/f (2)'],
  ],
  [
    ['x.tar.gz', 'X.TAR.GZ', 'x.tar.gz/'],
    ['x.tar.gz', 'X.TAR (2).GZ', 'x.tar (3).gz'],
  ],
  [
    ['.profile', '/.profile', '//.profile'],
    ['.profile', '.profile (2)', '.profile (3)'],
  ],
  [
    ['é', 'e\u0301', 'É'],
    ['é', 'e\u0301 (2)', 'É (3)'],
  ],
  [
    ['a', 'a (2)', '/a'],
    ['a', 'a (2)', 'a (3)'],
  ],
  [['REPORT.txt'], ['REPORT (2).txt']],
  [['report.txt/a'], ['report (2).txt/a']],
])('the keys %j have the paths %j in a zip', (keys, paths) => expect(zipPaths(keys)).toEqual(paths))

test.each([
  [
    ['d/f', 'd/f/', 'd/f/g', 'd/f/h/i', 'd/F/j'],
    ['d/f', 'd/f (2)', 'd/f (2)/g', 'd/f (2)/h/i', 'd/F (2)/j'],
  ],
  [
    ['d/F/g', 'd/f', 'd/f (2)/x', 'd/f/h'],
    ['d/F/g', 'd/f (2)', 'd/f (2) (2)/x', 'd/f/h'],
  ],
  [
    ['d/', 'd//', 'd/a/', 'd/a/b', 'D/'],
    ['d', undefined, 'd/a', 'd/a/b', undefined],
  ],
])('no file among %j has the name of a folder', (keys, paths) => expect(zipPaths(keys)).toEqual(paths))

test('a number fits into a name of maximum length', () => {
  const name = `${'n'.repeat(251)}.txt`
  const [, second = ''] = zipPaths([name, `/${name}`])
  expect(second).toMatch(/^n+~[0-9a-f]{8}\.txt$/)
  expect(second).toHaveLength(255)
})

test('many files with the same name are named quickly', () => {
  const names = new ZipNames()
  for (let n = 0; n < 20_000; n++) names.file('a.txt')
  expect(names.file('a.txt')).toBe('a (20001).txt')
}, 2_000)
