import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { BLOB_BLOCK_BYTES } from './blob-format.ts'
import { hashInOtherThread, hashInThisThread } from './body-hash.ts'
import { CHUNK_BYTES, returnChunk, takeChunk } from './chunk-pool.ts'

test.each([
  ['here', hashInThisThread],
  ['in another thread', hashInOtherThread],
])('bodies hashed %s at the same time are not mixed up', async (_, begin) => {
  const bodies = [3, 7, 11].map((fill) => ({ fill, hash: begin(), md5: createHash('md5') }))
  for (const size of [CHUNK_BYTES, BLOB_BLOCK_BYTES + 5]) {
    await Promise.all(
      bodies.map(async ({ fill, hash, md5 }) => {
        const chunk = takeChunk()
        const bytes = chunk.fill(fill).subarray(0, size)
        md5.update(bytes)
        const sums = await hash.update(bytes)
        expect(sums).toHaveLength(Math.ceil(size / BLOB_BLOCK_BYTES))
        expect(sums[0]).toBe(crc32(bytes.subarray(0, BLOB_BLOCK_BYTES)))
        expect(sums.at(-1)).toBe(crc32(bytes.subarray(size - (size % BLOB_BLOCK_BYTES || BLOB_BLOCK_BYTES))))
        returnChunk(chunk)
      }),
    )
  }
  for (const { hash, md5 } of bodies) expect(await hash.digest()).toBe(md5.digest('hex'))
})
