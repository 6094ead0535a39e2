import { close, fdatasync, ftruncate, open, write } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isDiskFull, makeFolder, syncFolder } from '../drives/durable-files.ts'
import { OWNER_FILE_MODE } from '../lib/folder.ts'
import { driveProbe } from '../lib/probe.ts'
import { listSegments, segmentName } from './journal-segment.ts'

// The callback API on plain descriptors costs half of what FileHandles cost, and this is the hottest path of the store.
const fs = {
  open: promisify(open),
  write: promisify(write),
  sync: promisify(fdatasync),
  truncate: promisify(ftruncate),
  close: promisify(close),
}

/** A segment is ended when it has grown to this, in bytes. */
const SEGMENT_BYTES = 16 * 2 ** 20

interface JournalCopy {
  folder: string
  fd: number
}

/** Appends frames to the same file in every folder. One call of `append` or `rotate` at a time. */
export class StoreJournal {
  #copies: JournalCopy[] = []
  #offset = 0

  /** The folders that it writes to now. */
  get folders(): string[] {
    return this.#copies.map((copy) => copy.folder)
  }

  get full(): boolean {
    return this.#offset >= SEGMENT_BYTES
  }

  /**
   * Ends the segment and begins another, in `folders`. A folder where that fails is reported and left out.
   * @throws the error of a folder that has no room: the segment goes on then, for such a folder is not lost
   * @param frame number of the first frame that the new segment will hold
   * @param seq number of the last change before it
   */
  async rotate(folders: string[], frame: number, seq: number): Promise<{ folder: string; error: unknown }[]> {
    const failed: { folder: string; error: unknown }[] = []
    const begin = async (folder: string): Promise<JournalCopy[]> => {
      try {
        await makeFolder(folder)
        const fd = await fs.open(join(folder, segmentName(frame, seq)), 'w', OWNER_FILE_MODE)
        await syncFolder(folder)
        return [{ folder, fd }]
      } catch (error) {
        failed.push({ folder, error })
        return []
      }
    }
    const copies = (await Promise.all(folders.map(begin))).flat()
    const full = failed.find(({ error }) => isDiskFull(error))
    if (full) {
      for (const { folder, fd } of copies) {
        await fs.close(fd)
        await rm(join(folder, segmentName(frame, seq)), { force: true })
      }
      throw full.error
    }
    await this.close()
    this.#copies = copies
    this.#offset = 0
    return failed
  }

  /**
   * Writes and syncs in every folder. Folders where it failed get no more frames; the caller decides what that means.
   * @param requests that it is done for
   * @throws the error when no folder took it, or one had no room for it: then it stands in none, and the next may fit
   */
  async append(frame: Buffer, requests: string[] = []): Promise<{ folder: string; error: unknown }[]> {
    const failed: { folder: string; error: unknown }[] = []
    const offset = this.#offset
    await Promise.all(
      this.#copies.map(async ({ folder, fd }) => {
        try {
          const write = () => writeSynced(fd, frame, offset)
          if (driveProbe.isOn) await driveProbe.measure('storage', 'storage.AppendJournal', folder, write, requests)
          else await write()
        } catch (error) {
          failed.push({ folder, error })
        }
      }),
    )
    const full = failed.find(({ error }) => isDiskFull(error))
    if (!full && failed.length < this.#copies.length) {
      this.#offset += frame.length
      for (const { folder } of failed) await this.dropFolder(folder)
      return failed
    }
    // Truncate incomplete copies, so that a full disk gets its space back and they are never read.
    for (const { fd } of this.#copies) await fs.truncate(fd, offset).catch(() => undefined)
    throw (full ?? failed[0])?.error
  }

  /** Writes no more to this folder. */
  async dropFolder(folder: string): Promise<void> {
    const dropped = this.#copies.filter((copy) => copy.folder === folder)
    this.#copies = this.#copies.filter((copy) => copy.folder !== folder)
    for (const { fd } of dropped) await fs.close(fd).catch(() => undefined)
  }

  /** Removes the segments that hold no frame behind `frame` and no change behind `seq`. */
  async removeUnneededSegments(frame: number, seq: number): Promise<void> {
    const folders = this.folders
    const segments = await listSegments(folders)
    for (const [i, segment] of segments.entries()) {
      const next = segments[i + 1]
      if (!next || next.frame > frame + 1 || next.seq > seq) return
      for (const folder of folders) await rm(join(folder, segment.name), { force: true })
    }
  }

  /** Removes every segment but the one that is being written. */
  async removeOldSegments(): Promise<void> {
    const folders = this.folders
    const segments = await listSegments(folders)
    for (const { name } of segments.slice(0, -1)) {
      for (const folder of folders) await rm(join(folder, name), { force: true })
    }
  }

  async close(): Promise<void> {
    // A descriptor in a missing folder may fail to close; nothing can be done about it.
    for (const { fd } of this.#copies) await fs.close(fd).catch(() => undefined)
    this.#copies = []
  }
}

async function writeSynced(fd: number, frame: Buffer, offset: number): Promise<void> {
  for (let done = 0; done < frame.length; ) {
    done += (await fs.write(fd, frame, done, frame.length - done, offset + done)).bytesWritten
  }
  await fs.sync(fd)
}
