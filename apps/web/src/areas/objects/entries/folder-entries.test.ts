import { expect, test } from 'vitest'
import { countFolderEntries, parseBucketPath, prefixBelow, toFolderEntries } from './folder-entries.ts'

const object = (name: string, size = 1) => ({ name, size, last_modified: '2026-11-19T16:42:08Z', etag: 'e' })
const folder = (name: string) => ({ name, size: 0, last_modified: '0001-01-01T00:00:00Z' })

test('entries have names relative to their folder and keep the order of the pages', () => {
  const pages = [{ objects: [object('a/1'), folder('a/b/')] }, { objects: [object('a/2'), folder('a/c/')] }]
  expect(toFolderEntries(pages, 'a/').map(({ name, folder, order }) => [name, folder, order])).toEqual([
    ['1', false, 0],
    ['b/', true, 1],
    ['2', false, 2],
    ['c/', true, 3],
  ])
})

test('a folder on two pages is one row', () => {
  expect(toFolderEntries([{ objects: [folder('a/')] }, { objects: [folder('a/'), object('b')] }], '')).toHaveLength(2)
})

test('a further page keeps the entries of the pages before it, and a page that was read again does not', () => {
  const [first, second] = [{ objects: [object('a'), folder('b/')] }, { objects: [folder('b/'), object('c')] }]
  const one = toFolderEntries([first], '')
  const two = toFolderEntries([first, second], '')
  expect(two.map(({ name, order }) => [name, order])).toEqual([
    ['a', 0],
    ['b/', 1],
    ['c', 2],
  ])
  expect(two[0]).toBe(one[0])
  expect(one).toHaveLength(2)
  const again = toFolderEntries([first, { objects: [object('d')] }], '')
  expect(again.map(({ name }) => name)).toEqual(['a', 'b/', 'd'])
})

test("an empty object with the folder's key is not a row, one with content is", () => {
  expect(toFolderEntries([{ objects: [object('a/', 0), object('a/x')] }], 'a/').map(({ name }) => name)).toEqual(['x'])
  expect(toFolderEntries([{ objects: [object('a/', 5)] }], 'a/')).toMatchObject([
    { name: 'a/', folder: false, size: 5 },
  ])
})

test('consecutive slashes make folders without a name', () => {
  expect(toFolderEntries([{ objects: [folder('a//')] }], 'a/')).toMatchObject([{ key: 'a//', name: '/', folder: true }])
})

test('counts folders, objects and bytes', () => {
  const entries = toFolderEntries([{ objects: [object('x', 5), object('y', 7), folder('z/')] }], '')
  expect(countFolderEntries(entries)).toEqual({ folders: 1, objects: 2, bytes: 12 })
})

test.each([
  ['', 'new', 'new/'],
  ['a/', 'b/c', 'a/b/c/'],
  ['a/', '/b//c/', 'a/b/c/'],
  ['a/', ' ', ''],
  ['a/', '//', ''],
])('from "%s" the path "%s" opens "%s" [OBJ-12]', (prefix, typed, expected) =>
  expect(prefixBelow(prefix, typed)).toBe(expected),
)

test.each([
  ['photos', { bucket: 'photos', prefix: '' }],
  ['photos/', { bucket: 'photos', prefix: '' }],
  ['photos/2026/a', { bucket: 'photos', prefix: '2026/a/' }],
  ['photos/2026/*', { bucket: 'photos', prefix: '2026/' }],
  [' s3://photos/a b/ ', { bucket: 'photos', prefix: 'a b/' }],
  ['arn:aws:s3:::photos/x/', { bucket: 'photos', prefix: 'x/' }],
  ['photos//x/', { bucket: 'photos', prefix: '/x/' }],
  ['', undefined],
  [' / ', undefined],
])('%j opens %j', (text, place) => expect(parseBucketPath(text)).toEqual(place))
