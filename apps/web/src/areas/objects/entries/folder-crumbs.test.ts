import { expect, test } from 'vitest'
import { pathToFolder } from '../../../lib/navigation/object-address.ts'
import { folderAndParents, folderTitle, shortenCrumbs } from './folder-crumbs.ts'

test.each([
  ['', []],
  ['a/', ['a/']],
  ['a/b/c/', ['a/', 'a/b/', 'a/b/c/']],
  ['a//', ['a/', 'a//']],
])('the parents of the folder "%s" are %j [OBJ-17]', (prefix, folders) =>
  expect(folderAndParents(prefix)).toEqual(folders),
)

test.each([
  ['a/b/', 'b'],
  ['a/', 'a'],
  ['a//', '/'],
])('the folder "%s" is called %s [OBJ-06]', (folder, title) => expect(folderTitle(folder)).toBe(title))

test('a long path keeps its ends, and the item between links to the deepest omitted folder', () => {
  const crumbs = ['All Buckets', 'b', '1', '2', '3', '4', '5', '6'].map((label) => ({ label, to: pathToFolder(label) }))
  expect(shortenCrumbs(crumbs, 2, 4).map(({ label, to }) => `${label} ${to}`)).toEqual([
    'All Buckets /object-browser/All%20Buckets',
    'b /object-browser/b',
    '… /object-browser/2',
    '3 /object-browser/3',
    '4 /object-browser/4',
    '5 /object-browser/5',
    '6 /object-browser/6',
  ])
  expect(shortenCrumbs(crumbs.slice(0, 7), 2, 4)).toHaveLength(7)
})
