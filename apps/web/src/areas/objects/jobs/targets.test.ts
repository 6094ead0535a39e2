import { expect, test } from 'vitest'
import type { Entry } from '../entries.ts'
import { copyEntries, isOnItself, typedName } from './targets.ts'

const entry = (key: string, name: string): Entry => ({
  ...{ key, name, folder: name.endsWith('/'), size: 1, modified: '', etag: '', order: 0 },
})

test('entries keep their names in the chosen folder', () => {
  const entries = [entry('a/b.txt', 'b.txt'), entry('a/c/', 'c/')]
  expect(copyEntries(entries, { folder: 'x', name: '' })).toEqual([
    { from: 'a/b.txt', to: 'x/b.txt' },
    { from: 'a/c/', to: 'x/c/' },
  ])
  expect(copyEntries(entries, { folder: '', name: 'ignored' })[0]).toEqual({ from: 'a/b.txt', to: 'b.txt' })
})

test('a single entry can be renamed', () => {
  const folder = entry('a/c/', 'c/')
  expect(typedName(folder)).toBe('c')
  expect(copyEntries([folder], { folder: 'a/', name: 'd' })).toEqual([{ from: 'a/c/', to: 'a/d/' }])
  expect(copyEntries([entry('a/b', 'b')], { folder: 'a/', name: 'd' })).toEqual([{ from: 'a/b', to: 'a/d' }])
})

test.each([
  ['a', 'a', true],
  ['a', 'a/', false],
  ['a/', 'a/b/', true],
  ['a/', 'ab/', false],
])('%s to %s is a copy onto itself: %s', (from, to, itself) => {
  expect(isOnItself([{ from, to }])).toBe(itself)
})
