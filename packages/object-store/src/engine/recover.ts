import { rm } from 'node:fs/promises'
import type { Drive } from '../drives/drive.ts'
import type { DrivePool } from '../drives/pool.ts'
import { LmdbIndex } from '../index-db/lmdb-index.ts'
import { readFrames } from '../journal/read.ts'
import { listSegments } from '../journal/segment.ts'
import type { Log } from './core.ts'

/** A copy of the index that is open, on its drive. */
export interface OpenCopy {
  drive: Drive
  index: LmdbIndex
}

/**
 * Opens the index copies of the member drives and brings each to the journal's end. A copy that is damaged, or too far
 * behind for the journal, is left out and loses its membership; it will be made anew from another.
 * @throws Error when no copy can be used
 */
export async function recoverIndex(pool: DrivePool, log: Log): Promise<OpenCopy[]> {
  if (pool.layout.members.length === 0) return firstCopies(pool)
  const copies: OpenCopy[] = []
  for (const drive of pool.members) {
    const index = await openCopy(drive, log)
    if (index) copies.push({ drive, index })
  }
  const folders = pool.members.map((drive) => drive.journalFolder)
  const [oldest] = await listSegments(folders)
  const best = Math.max(...copies.map(({ index }) => index.position().frame))
  const usable: OpenCopy[] = []
  for (const copy of copies) {
    const { frame } = copy.index.position()
    if (frame === best || (oldest && oldest.frame <= frame + 1)) usable.push(copy)
    else {
      log.warn({ drive: copy.drive.path, frame, oldest: oldest?.frame }, 'the index is too old for the journal')
      await copy.index.close()
    }
  }
  if (usable.length === 0) throw new Error('no copy of the index can be read; the data was left as it is')
  const from = Math.min(...usable.map(({ index }) => index.position().frame)) + 1
  const onMended = (folder: string, segment: string) =>
    log.warn({ folder, segment }, 'a damaged part of the journal was read from its other copy')
  for await (const frame of readFrames(folders, { from, onMended })) {
    for (const { index } of usable) {
      if (index.position().frame < frame.position.frame) await index.apply(frame)
    }
  }
  const members = usable.map(({ drive }) => drive.slot)
  if (members.length < pool.layout.members.length) await pool.changeLayout({ members })
  return usable
}

/** A new deployment: empty copies on the first two drives. */
async function firstCopies(pool: DrivePool): Promise<OpenCopy[]> {
  const drives = pool.usable.slice(0, 2)
  for (const drive of drives) {
    // Left over from a first start that did not come to its end.
    await rm(drive.indexFolder, { recursive: true, force: true })
    await rm(drive.journalFolder, { recursive: true, force: true })
  }
  const copies = drives.map((drive) => ({ drive, index: LmdbIndex.open(drive.indexFolder) }))
  await Promise.all(copies.map(({ index }) => index.flushed()))
  await pool.changeLayout({ members: drives.map((drive) => drive.slot) })
  return copies
}

async function openCopy(drive: Drive, log: Log): Promise<LmdbIndex | undefined> {
  try {
    return LmdbIndex.open(drive.indexFolder)
  } catch (error) {
    log.error({ err: error, drive: drive.path }, 'a copy of the index is damaged and was set aside')
    return undefined
  }
}
