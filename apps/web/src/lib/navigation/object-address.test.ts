import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyKey } from '../../testing/keys.ts'
import { parentFolder, parseBrowserLocation, pathToFolder, pathToObject } from './object-address.ts'

/** Parses an address as browser and router do. */
function read(path: string) {
  const url = new URL(path, 'http://console.example')
  return parseBrowserLocation(url.pathname, url.search)
}

const bucket = fc.stringMatching(/^[a-z0-9][a-z0-9.-]{1,30}[a-z0-9]$/)

test('every S3 key is unchanged after a round trip through its address', () => {
  fc.assert(
    fc.property(bucket, anyKey, (b, k) => {
      expect(read(pathToObject(b, k))).toEqual({ bucket: b, key: k, prefix: parentFolder(k) })
    }),
    { numRuns: 2000 },
  )
})

test('every prefix is unchanged after a round trip through its address', () => {
  fc.assert(
    fc.property(bucket, anyKey, (b, k) => {
      expect(read(pathToFolder(b, `${k}/`))).toEqual({ bucket: b, prefix: `${k}/` })
    }),
    { numRuns: 2000 },
  )
})

test.each([
  [pathToFolder('b'), '/object-browser/b'],
  [pathToFolder('b', 'masters/2026/'), '/object-browser/b/masters/2026/'],
  [pathToObject('b', 'masters/ep 1.mov'), '/object-browser/b/masters/ep%201.mov'],
  [pathToObject('b', 'a//b'), '/object-browser/b?key=a%2F%2Fb'],
  [pathToObject('b', 'dir/'), '/object-browser/b?key=dir%2F'],
  [pathToObject('b', '../x'), '/object-browser/b?key=..%2Fx'],
  [pathToFolder('b', '/'), '/object-browser/b?prefix=%2F'],
])('%s', (path, expected) => expect(path).toBe(expected))

test.each([
  ['a', ''],
  ['a/', ''],
  ['a/b', 'a/'],
  ['a/b/', 'a/'],
  ['/a', '/'],
])('%s is shown in "%s"', (k, folder) => expect(parentFolder(k)).toBe(folder))
