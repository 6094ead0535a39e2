import { expect, test } from 'vitest'
import { BlockReader } from './block-reader.ts'

const KiB = 1024
const SEGMENT = Buffer.alloc(4096 * KiB, 'x')
const blocks = Array.from({ length: 64 }, (_, n) => ({
  start: n * 64 * KiB,
  end: (n + 1) * 64 * KiB,
  first: 0,
  last: 0,
}))

test.each([
  ['backwards', blocks.toReversed(), true],
  ['forwards', blocks, false],
  ['backwards in time, but forwards in the segment', blocks, true],
  ['forwards in time, but backwards in the segment', blocks.toReversed(), false],
])('a search reads each part of a segment about once: %s', async (_name, order, backwards) => {
  let bytes = 0
  const reader = new BlockReader(async (_segment: string, start, end) => {
    const read = SEGMENT.subarray(start, end)
    bytes += read.length
    return read
  }, backwards)
  for (const block of order) expect((await reader.readBlock('a', block)).length).toBe(64 * KiB)
  expect(bytes).toBeLessThan(1.2 * SEGMENT.length)
})
