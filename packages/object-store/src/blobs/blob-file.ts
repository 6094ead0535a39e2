import { close, constants, fdatasync, open, rm, write } from 'node:fs'
import { promisify } from 'node:util'
import type { StoreDrive } from '../drives/drive.ts'
import { FolderSync } from '../drives/folder-sync.ts'
import { OWNER_FILE_MODE } from '../lib/folder.ts'
import { driveProbe } from '../lib/probe.ts'

const fs = {
  open: promisify(open),
  write: promisify(write),
  sync: promisify(fdatasync),
  close: promisify(close),
  rm: promisify(rm),
}

/** The file of a blob that is being written to one drive, under its temporary name. */
export class BlobFile {
  #direct: Promise<number | undefined> | undefined

  private constructor(
    readonly drive: StoreDrive,
    /** The drive's identity when the file was opened. */
    readonly id: string,
    private readonly path: string,
    private readonly fd: number,
  ) {}

  static async open(drive: StoreDrive, blob: string): Promise<BlobFile> {
    const path = drive.temporaryPath(blob)
    const open = () => fs.open(path, 'wx', OWNER_FILE_MODE)
    const fd = driveProbe.isOn ? await driveProbe.measure('os', 'os.Open', path, open) : await open()
    return new BlobFile(drive, drive.id, path, fd)
  }

  /** Writes bytes of any length and place. */
  async write(bytes: Buffer, position: number): Promise<void> {
    if (!driveProbe.isOn) return await writeAll(this.fd, bytes, position)
    await driveProbe.measure('storage', 'storage.WriteBlob', this.path, () => writeAll(this.fd, bytes, position))
  }

  /**
   * Writes a whole chunk of `takeChunk` at a multiple of its size. It goes past the page cache where the file system can do
   * that: copying it there and writing it back cost ten times the processor time, and longer, with 1 GiB on two drives.
   */
  async writeChunk(chunk: Buffer, position: number): Promise<void> {
    if (!driveProbe.isOn) return await this.#writeChunk(chunk, position)
    await driveProbe.measure('storage', 'storage.WriteBlob', this.path, () => this.#writeChunk(chunk, position))
  }

  async #writeChunk(chunk: Buffer, position: number): Promise<void> {
    this.#direct ??= fs.open(this.path, constants.O_WRONLY | (constants.O_DIRECT ?? 0)).catch(() => undefined)
    const direct = await this.#direct
    try {
      await writeAll(direct ?? this.fd, chunk, position)
    } catch (error) {
      if (direct === undefined || !(error instanceof Error && 'code' in error && error.code === 'EINVAL')) throw error
      await writeAll(this.fd, chunk, position)
    }
  }

  /** Makes data and name survive a power failure. */
  async sync(): Promise<void> {
    if (driveProbe.isOn) await driveProbe.measure('os', 'os.Fdatasync', this.path, () => fs.sync(this.fd))
    else await fs.sync(this.fd)
    await FolderSync.forFolder(this.drive.temporaryFolder).sync()
  }

  /** Waits for running writes, because the file descriptor might be reused for another file. */
  async close(): Promise<void> {
    const direct = await this.#direct
    for (const fd of [this.fd, direct]) if (fd !== undefined) await fs.close(fd).catch(() => undefined)
  }

  /** A file that cannot be removed now is removed at the next start: nothing names it. */
  async remove(): Promise<void> {
    await fs.rm(this.path, { force: true }).catch(() => undefined)
  }
}

async function writeAll(fd: number, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await fs.write(fd, bytes, done, bytes.length - done, position + done)).bytesWritten
  }
}
