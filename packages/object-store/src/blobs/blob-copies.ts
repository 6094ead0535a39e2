import { randomBytes } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { StoreDrive } from '../drives/drive.ts'
import { makeFolder, syncFolder } from '../drives/durable-files.ts'
import { closeToOthers, OWNER_FILE_MODE } from '../lib/folder.ts'
import { BLOB_BLOCK_BYTES, blobFileBytes, encodeBlobTail } from './blob-format.ts'
import { BlobCopy, DamagedBlob } from './blob-reader.ts'
import { CHUNK_BYTES } from './chunk-pool.ts'

/** State of a blob's copy on a drive: complete, of another length or content, or missing. */
export type BlobCopyState = 'ok' | 'corrupt' | 'missing'

/** @param deep whether its bytes are read; otherwise the length of its file decides */
export async function checkBlobCopy(
  drive: StoreDrive,
  blob: string,
  size: number,
  deep: boolean,
): Promise<BlobCopyState> {
  const length = await blobCopyBytes(drive, blob)
  if (length === undefined) return 'missing'
  if (length !== blobFileBytes(size)) return 'corrupt'
  if (!deep) return 'ok'
  try {
    await verifyBlob(drive, blob, size)
    return 'ok'
  } catch (error) {
    if (error instanceof DamagedBlob) return 'corrupt'
    throw error
  }
}

/** Whether a drive has a blob's file, of the right length. Its bytes are not read. */
export async function hasBlob(drive: StoreDrive, blob: string, size: number): Promise<boolean> {
  return (await checkBlobCopy(drive, blob, size, false)) === 'ok'
}

async function blobCopyBytes(drive: StoreDrive, blob: string): Promise<number | undefined> {
  for (const path of [drive.blobPath(blob), drive.temporaryPath(blob), drive.blobPath(blob)]) {
    const file = await stat(path).catch(() => undefined)
    if (file) return file.size
  }
  return undefined
}

/** Reads a copy to its end, and closes its file to other users: early versions left that to the folder. @throws DamagedBlob */
export async function verifyBlob(drive: StoreDrive, blob: string, size: number): Promise<void> {
  await closeToOthers(drive.blobPath(blob))
  const copy = await BlobCopy.open(drive, blob, size)
  try {
    const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
    for (let at = 0; at < size; ) at += (await copy.read(at, size, () => chunk)).length
  } finally {
    await copy.close()
  }
}

/**
 * Writes a blob's file on `to` anew, each block from the first of the copies on `from` that has it whole: copies that are
 * damaged in different places make a sound one together.
 * @throws DamagedBlob when no copy has an intact block
 */
export async function copyBlob(from: readonly StoreDrive[], to: StoreDrive, blob: string, size: number): Promise<void> {
  const temporary = join(to.temporaryFolder, `${blob}.${randomBytes(4).toString('hex')}`)
  const copies = new BlobCopies(from, blob, size)
  try {
    const sums = (await copies.first()).blockChecksums()
    const file = await open(temporary, 'wx', OWNER_FILE_MODE)
    try {
      let buffer: Buffer | undefined
      const chunk = () => (buffer ??= Buffer.allocUnsafeSlow(CHUNK_BYTES))
      for (let at = 0; at < size; ) {
        const data = await readIntact(copies, at, size, chunk)
        await file.write(data, 0, data.length, at)
        at += data.length
      }
      const tail = encodeBlobTail(blob, size, sums)
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
    await copies.close()
  }
}

/** The copies of a blob. Each is opened when it is first needed. */
class BlobCopies {
  readonly #opened: BlobCopy[] = []
  readonly #unopened: StoreDrive[]

  constructor(
    drives: readonly StoreDrive[],
    private readonly blob: string,
    private readonly size: number,
  ) {
    this.#unopened = [...drives]
  }

  /** @throws DamagedBlob if no copy can be opened */
  async first(): Promise<BlobCopy> {
    let failure: unknown = new TypeError('a blob is copied from at least one drive')
    for await (const copy of this.each((error) => (failure = error))) return copy
    throw failure
  }

  /** Yields the copies that can be opened. */
  async *each(onFailed: (error: unknown) => void): AsyncGenerator<BlobCopy, void, void> {
    yield* this.#opened
    for (let drive = this.#unopened.shift(); drive; drive = this.#unopened.shift()) {
      try {
        this.#opened.push(await BlobCopy.open(drive, this.blob, this.size))
      } catch (error) {
        onFailed(error)
        continue
      }
      yield* this.#opened.slice(-1)
    }
  }

  async close(): Promise<void> {
    for (const copy of this.#opened) await copy.close()
  }
}

/** Reads at `at` from any copy: a whole chunk or, if each copy is damaged somewhere in it, one block. */
async function readIntact(copies: BlobCopies, at: number, size: number, chunk: () => Buffer): Promise<Buffer> {
  let failure: unknown
  const failed = (error: unknown) => (failure ??= error)
  for (const end of [size, Math.min(at + BLOB_BLOCK_BYTES, size)]) {
    for await (const copy of copies.each(failed)) {
      try {
        return await copy.read(at, end, chunk)
      } catch (error) {
        failed(error)
      }
    }
  }
  throw failure
}
