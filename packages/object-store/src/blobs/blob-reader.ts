import { close, open, read } from 'node:fs'
import { promisify } from 'node:util'
import type { StoreDrive } from '../drives/drive.ts'
import { driveProbe } from '../lib/probe.ts'
import {
  BLOB_BLOCK_BYTES,
  BLOB_FOOTER_BYTES,
  blobFileBytes,
  blocksMatchChecksums,
  checksumTableBytes,
  decodeBlobTail,
} from './blob-format.ts'
import { CHUNK_BYTES } from './chunk-pool.ts'

const fs = { open: promisify(open), read: promisify(read), close: promisify(close) }

/** A copy of a blob is missing, short, or does not match its checksums. */
export class DamagedBlob extends Error {
  override readonly name = 'DamagedBlob'
  constructor(blob: string, drive: StoreDrive, why: string, options?: ErrorOptions) {
    super(`blob ${blob} on ${drive.path}: ${why}`, options)
  }
}

/** An open copy of a blob. All returned bytes are verified. */
export class BlobCopy {
  private constructor(
    private readonly fd: number,
    private readonly blob: string,
    private readonly drive: StoreDrive,
    private readonly size: number,
    private readonly table: Buffer,
    /** The data, of a blob that is read at once. */
    private readonly whole: Buffer | undefined,
  ) {}

  /** @throws DamagedBlob */
  static async open(drive: StoreDrive, blob: string, size: number): Promise<BlobCopy> {
    if (!driveProbe.isOn) return await BlobCopy.#open(drive, blob, size)
    return await driveProbe.measure('storage', 'storage.OpenBlob', drive.blobPath(blob), () =>
      BlobCopy.#open(drive, blob, size),
    )
  }

  static async #open(drive: StoreDrive, blob: string, size: number): Promise<BlobCopy> {
    const fd = await openBlobFile(drive, blob)
    try {
      const small = blobFileBytes(size) <= CHUNK_BYTES
      const from = small ? 0 : size
      const length = (small ? size : 0) + checksumTableBytes(size) + BLOB_FOOTER_BYTES
      const bytes = await readFully(fd, from, Buffer.allocUnsafeSlow(length))
      const table = decodeBlobTail(bytes.subarray(size - from), blob, size)
      if (!table) throw new DamagedBlob(blob, drive, 'table or footer damaged')
      return new BlobCopy(fd, blob, drive, size, table, small ? bytes.subarray(0, size) : undefined)
    } catch (error) {
      await fs.close(fd)
      throw error instanceof DamagedBlob ? error : new DamagedBlob(blob, drive, 'cannot be read', { cause: error })
    }
  }

  /**
   * Data from `start` on up to `end` (exclusive) at most, as much as is read at once.
   * @param chunk allocates a read buffer of `CHUNK_BYTES`; not called when a small blob has already been read
   * @throws DamagedBlob
   */
  async read(start: number, end: number, chunk: () => Buffer): Promise<Buffer> {
    const first = Math.floor(start / BLOB_BLOCK_BYTES)
    const from = first * BLOB_BLOCK_BYTES
    const to = Math.min(Math.ceil(end / BLOB_BLOCK_BYTES) * BLOB_BLOCK_BYTES, from + CHUNK_BYTES, this.size)
    const data = this.whole?.subarray(from, to) ?? (await this.#load(chunk().subarray(0, to - from), from))
    if (!blocksMatchChecksums(this.table, first, data)) {
      throw new DamagedBlob(this.blob, this.drive, `block ${first} or one after it does not match its checksum`)
    }
    return data.subarray(start - from, Math.min(end, to) - from)
  }

  /** The checksums of its blocks. */
  blockChecksums(): number[] {
    return Array.from({ length: this.table.length / 4 }, (_, i) => this.table.readUInt32LE(i * 4))
  }

  async #load(chunk: Buffer, from: number): Promise<Buffer> {
    const read = () => readFully(this.fd, from, chunk)
    try {
      if (!driveProbe.isOn) return await read()
      return await driveProbe.measure('os', 'os.Read', this.drive.blobPath(this.blob), read)
    } catch (error) {
      throw new DamagedBlob(this.blob, this.drive, 'cannot be read', { cause: error })
    }
  }

  async close(): Promise<void> {
    await fs.close(this.fd)
  }
}

async function openBlobFile(drive: StoreDrive, blob: string): Promise<number> {
  // Fresh blobs lie in the temporary folder for a moment, and may be moved between two looks.
  for (const path of [drive.blobPath(blob), drive.temporaryPath(blob), drive.blobPath(blob)]) {
    try {
      return await fs.open(path, 'r')
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
        throw new DamagedBlob(blob, drive, 'cannot be opened', { cause: error })
      }
    }
  }
  throw new DamagedBlob(blob, drive, 'missing')
}

async function readFully(fd: number, position: number, bytes: Buffer): Promise<Buffer> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await fs.read(fd, bytes, done, bytes.length - done, position + done)
    if (bytesRead === 0) throw new RangeError(`the file ends at ${position + done}`)
    done += bytesRead
  }
  return bytes
}
