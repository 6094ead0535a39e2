import { randomBytes } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Drive } from '../drives/drive.ts'
import { makeFolder, syncFolder } from '../drives/files.ts'
import { CHUNK_BYTES } from './chunks.ts'
import { encodeTail, fileBytes } from './format.ts'
import { BlobCopy } from './reader.ts'

/** Whether a drive has a blob's file, of the right length. Its bytes are not read. */
export async function hasBlob(drive: Drive, blob: string, size: number): Promise<boolean> {
  for (const path of [drive.blobPath(blob), drive.temporaryPath(blob), drive.blobPath(blob)]) {
    const file = await stat(path).catch(() => undefined)
    if (file) return file.size === fileBytes(size)
  }
  return false
}

/** Reads a copy to its end. @throws DamagedBlob */
export async function verifyBlob(drive: Drive, blob: string, size: number): Promise<void> {
  const copy = await BlobCopy.open(drive, blob, size)
  try {
    const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
    for (let at = 0; at < size; ) at += (await copy.read(at, size, () => chunk)).length
  } finally {
    await copy.close()
  }
}

/** Writes a blob's file on `to` anew from the copy on `from`, checking every block. @throws DamagedBlob */
export async function copyBlob(from: Drive, to: Drive, blob: string, size: number): Promise<void> {
  const temporary = join(to.temporaryFolder, `${blob}.${randomBytes(4).toString('hex')}`)
  const copy = await BlobCopy.open(from, blob, size)
  try {
    const file = await open(temporary, 'wx')
    try {
      const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
      for (let at = 0; at < size; ) {
        const data = await copy.read(at, size, () => chunk)
        await file.write(data, 0, data.length, at)
        at += data.length
      }
      const tail = encodeTail(blob, size, copy.sums())
      await file.write(tail, 0, tail.length, size)
      await file.sync()
    } finally {
      await file.close()
    }
    const path = to.blobPath(blob)
    await makeFolder(dirname(path))
    await rename(temporary, path)
    await syncFolder(dirname(path))
    // A damaged file that had not been settled yet lies under the other name.
    await rm(to.temporaryPath(blob), { force: true })
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    await copy.close()
  }
}
