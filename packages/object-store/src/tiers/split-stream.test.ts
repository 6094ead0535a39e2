import { expect, test } from 'vitest'
import { splitStream } from './split-stream.ts'

async function* numberedChunks(...sizes: number[]) {
  let next = 0
  for (const size of sizes) yield Uint8Array.from({ length: size }, () => next++)
}
const cut = async (sizes: number[], size: number, length: number) => {
  const found: number[][] = []
  for await (const slice of splitStream(numberedChunks(...sizes), size, length)) {
    const bytes: number[] = []
    for await (const chunk of slice.chunks) bytes.push(...chunk)
    found.push(bytes)
  }
  return found
}

test.each([
  ['chunks that are larger than a slice', [5], [[0, 1], [2, 3], [4]]],
  ['chunks that are smaller', [1, 1, 1, 1, 1], [[0, 1], [2, 3], [4]]],
  ['chunks that end elsewhere', [3, 0, 2], [[0, 1], [2, 3], [4]]],
])('%s are cut', async (_, sizes, expected) => {
  expect(await cut(sizes, 5, 2)).toEqual(expected)
})

test('a stream that ends early gives short slices', async () => {
  expect(await cut([3], 5, 2)).toEqual([[0, 1], [2], []])
})
