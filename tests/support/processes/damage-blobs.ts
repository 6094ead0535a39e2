import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'

/** Flips a bit in the middle of every blob of a store that runs: of both copies of every object above 16 KiB. */
export async function damageAllCopies(data: string): Promise<void> {
  const findBlobs = async () =>
    (await readdir(join(data, 'drives'), { recursive: true })).filter((path) => /[/][0-9a-f]{32}$/.test(path))
  // Blobs get their final names after the write is acknowledged.
  await expect.poll(async () => (await findBlobs()).filter((path) => path.includes('/tmp/'))).toEqual([])
  for (const name of await findBlobs()) {
    const file = await open(join(data, 'drives', name), 'r+')
    try {
      const at = Math.floor((await file.stat()).size / 2)
      const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at)
      buffer[0] = (buffer[0] ?? 0) ^ 1
      await file.write(buffer, 0, 1, at)
    } finally {
      await file.close()
    }
  }
}
