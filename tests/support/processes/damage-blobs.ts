import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Flips a bit in the middle of every blob of a store that runs: of both copies of every object above 16 KiB. */
export async function damageAllCopies(data: string): Promise<void> {
  const names = await readdir(join(data, 'drives'), { recursive: true })
  for (const name of names.filter((path) => /[/][0-9a-f]{32}$/.test(path))) {
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
