import { expect, test } from 'vitest'
import { acceptedEncoding } from './prepared-answer.ts'

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, *;q=0.1', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['BR ; q=0.000, GZIP', 'gzip'],
  ['br;q=0', undefined],
  ['brotli, gzipped', undefined],
  ['*', undefined],
  ['', undefined],
  [undefined, undefined],
])('a client that accepts "%s" gets %s', (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding)
})
