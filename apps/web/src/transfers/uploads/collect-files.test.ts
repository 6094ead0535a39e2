import { expect, test } from 'vitest'
import { filesFromEntries } from './collect-files.ts'

type Tree = { [name: string]: Tree | string | Error }

/** Returns browser file entries for a tree. A reader returns two at a time. An Error stands for an unreadable file. */
function fakeEntries(tree: Tree, path = ''): FileSystemEntry[] {
  return Object.entries(tree).map(([name, node]) => {
    const fullPath = `${path}/${name}`
    const common = { name, fullPath, isFile: typeof node === 'string' || node instanceof Error }
    const file = (done: (file: File) => void, fail: (error: unknown) => void) =>
      node instanceof Error ? fail(node) : done(new File([String(node)], name))
    const createReader = () => {
      const children = typeof node === 'string' || node instanceof Error ? [] : fakeEntries(node, fullPath)
      return { readEntries: (done: (some: FileSystemEntry[]) => void) => done(children.splice(0, 2)) }
    }
    // Only the members of an entry that `filesFromEntries` uses; Node has no such class.
    return { ...common, isDirectory: !common.isFile, file, createReader } as unknown as FileSystemEntry
  })
}

test('files of dropped folders have their paths, at any depth', async () => {
  const many = Object.fromEntries(Array.from({ length: 301 }, (_, n) => [`${n}.txt`, 'x']))
  const { found, emptyFolders, unreadable } = await filesFromEntries(
    fakeEntries({ 'a.txt': 'a', photos: { '2026': many, 'b.txt': 'b' } }),
  )
  expect(found).toHaveLength(303)
  expect(found.slice(0, 2).map(({ path }) => path)).toEqual(['a.txt', 'photos/b.txt'])
  expect(found.some(({ path }) => path === 'photos/2026/300.txt')).toBe(true)
  expect([emptyFolders, unreadable]).toEqual([[], []])
})

test('empty folders and unreadable files are reported', async () => {
  const tree = { photos: { empty: { within: {} }, 'locked.txt': new Error('denied'), 'a.txt': 'a' } }
  const { found, emptyFolders, unreadable } = await filesFromEntries(fakeEntries(tree))
  expect(found.map(({ path }) => path)).toEqual(['photos/a.txt'])
  expect(emptyFolders).toEqual(['photos/empty/within'])
  expect(unreadable).toEqual(['photos/locked.txt'])
})
