import { expect, test } from 'vitest'
import type { FolderEntry } from '../entries/folder-entries.ts'
import { copiesOntoItself, copyTargets, editableName } from './copy-targets.ts'

const entry = (key: string, name: string): FolderEntry => ({
  ...{ key, name, folder: name.endsWith('/'), size: 1, modified: '', etag: '', order: 0 },
})

test('entries keep their names in the chosen folder', () => {
  const entries = [entry('a/b.txt', 'b.txt'), entry('a/c/', 'c/')]
  expect(copyTargets(entries, { folder: 'x', name: '' })).toEqual([
    { from: 'a/b.txt', to: 'x/b.txt' },
    { from: 'a/c/', to: 'x/c/' },
  ])
  expect(copyTargets(entries, { folder: '', name: 'ignored' })[0]).toEqual({ from: 'a/b.txt', to: 'b.txt' })
})

test('a single entry can be renamed', () => {
  const folder = entry('a/c/', 'c/')
  expect(editableName(folder)).toBe('c')
  expect(copyTargets([folder], { folder: 'a/', name: 'd' })).toEqual([{ from: 'a/c/', to: 'a/d/' }])
  expect(copyTargets([entry('a/b', 'b')], { folder: 'a/', name: 'd' })).toEqual([{ from: 'a/b', to: 'a/d' }])
})

test.each([
  ['a', 'a', true],
  ['a', 'a/', false],
  ['a/', 'a/b/', true],
  ['a/', 'ab/', false],
])('%s to %s is a copy onto itself: %s', (from, to, itself) => {
  expect(copiesOntoItself([{ from, to }])).toBe(itself)
})
