import { open } from 'node:fs/promises'

/** A part of a file, less at its end. */
export async function readFileRange(path: string, start: number, end: number): Promise<Buffer> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const bytes = Buffer.alloc(Math.max(0, Math.min(end, size) - start))
    let length = 0
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, start + length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return bytes.subarray(0, length)
  } finally {
    await handle.close()
  }
}
