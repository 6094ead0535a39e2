import { access, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SET_ASIDE_PREFIX, type StoreDrive } from '../../drives/drive.ts'
import type { DrivePool } from '../../drives/drive-pool.ts'
import { checkIndexFile } from '../../index-db/check-index-file.ts'
import { LmdbIndex } from '../../index-db/lmdb-index.ts'
import { START_POSITION } from '../../index-db/ordered-index.ts'
import { listSegments } from '../../journal/journal-segment.ts'
import { JournalGap, readFrames } from '../../journal/read-frames.ts'

import type { EngineLog } from '../interface/types.ts'

import { replayFrame, withoutUnusableOps } from './replay-frame.ts'

/** A copy of the index that is open, on its drive. */
export interface OpenIndexCopy {
  drive: StoreDrive
  index: LmdbIndex
}

/**
 * Opens the index copies of the member drives and applies the journal to them. A copy that is damaged, or older than the
 * journal's first frame, is set aside and removed from the members; it is rebuilt from another copy later.
 * @throws Error if no copy can be used; then nothing was changed
 */
export async function recoverIndex(pool: DrivePool, log: EngineLog): Promise<OpenIndexCopy[]> {
  if (pool.layout.members.length === 0) return createFirstCopies(pool)
  const folders = pool.members.map((drive) => drive.journalFolder)
  const copies: OpenIndexCopy[] = []
  const damaged: StoreDrive[] = []
  for (const drive of pool.members) {
    const index = await openIndexCopy(drive, log)
    if (index) copies.push({ drive, index })
    else damaged.push(drive)
  }
  const reached = await selectReplayableCopies(copies, folders, damaged, log)
  if (reached.length === 0) throw new Error('no copy of the index can be read; the data was not changed')
  const usable = await replayJournal(reached, folders, damaged, log)
  for (const drive of damaged) await setAsideIndex(drive).catch(() => undefined)
  const members = usable.map(({ drive }) => drive.slot)
  if (members.length < pool.layout.members.length) await pool.changeLayout({ members })
  return usable
}

/** Returns the copies whose next frame is still in the journal, and the newest copies. */
async function selectReplayableCopies(
  copies: OpenIndexCopy[],
  folders: string[],
  damaged: StoreDrive[],
  log: EngineLog,
): Promise<OpenIndexCopy[]> {
  const [oldest] = await listSegments(folders)
  const best = Math.max(...copies.map(({ index }) => index.position().frame))
  const usable: OpenIndexCopy[] = []
  for (const copy of copies) {
    const { frame } = copy.index.position()
    if (frame === best || (oldest && oldest.frame <= frame + 1)) {
      usable.push(copy)
      continue
    }
    log.error({ drive: copy.drive.path, frame }, 'a copy of the index is too old for the journal and is rebuilt')
    await copy.index.close()
    damaged.push(copy.drive)
  }
  return usable
}

/**
 * Applies the journal to the copies, and returns those that are complete. A copy that needs lost frames is left out if another
 * copy has already applied them.
 * @throws JournalGap when the newest copy itself lacks lost frames
 */
async function replayJournal(
  copies: OpenIndexCopy[],
  folders: string[],
  damaged: StoreDrive[],
  log: EngineLog,
): Promise<OpenIndexCopy[]> {
  const lastFrame = ({ index }: OpenIndexCopy) => index.position().frame
  const onMended = (folder: string, segment: string) =>
    log.warn({ folder, segment }, 'a damaged part of the journal was read from its other copy')
  const newest = Math.max(...copies.map(lastFrame))
  let frames = 0
  try {
    for await (const read of readFrames(folders, {
      from: Math.min(...copies.map(lastFrame)) + 1,
      onRepaired: onMended,
    })) {
      const frame = withoutUnusableOps(read, log)
      for (const copy of copies) if (lastFrame(copy) < frame.position.frame) await replayFrame(copy.index, frame)
      frames++
    }
  } catch (error) {
    if (!(error instanceof JournalGap) || error.found > newest + 1) throw error
    log.error({ err: error }, 'a copy of the index cannot be brought up to date')
  }
  if (frames > 0) log.info({ frames }, 'the index was brought up to date from the journal')
  const end = Math.max(...copies.map(lastFrame))
  const behind = copies.filter((copy) => lastFrame(copy) < end)
  if (behind.length === 0) return copies
  for (const copy of behind) {
    await copy.index.close()
    damaged.push(copy.drive)
  }
  // Frames after the gap can only be applied to the newest copies.
  const others = copies.filter((copy) => !behind.includes(copy))
  return replayJournal(others, folders, damaged, log)
}

/** Creates the empty copies of a new deployment on the first two drives. */
async function createFirstCopies(pool: DrivePool): Promise<OpenIndexCopy[]> {
  const drives = pool.usable.slice(0, 2)
  for (const drive of drives) {
    // Left over from an interrupted first start.
    await rm(drive.indexFolder, { recursive: true, force: true })
    await rm(drive.journalFolder, { recursive: true, force: true })
  }
  const copies = drives.map((drive) => ({ drive, index: LmdbIndex.open(drive.indexFolder) }))
  // The position is written before the layout names the copies: a copy without one counts as damaged.
  await Promise.all(copies.map(({ index }) => index.apply({ ops: [], position: START_POSITION })))
  await Promise.all(copies.map(({ index }) => index.flushed()))
  await pool.changeLayout({ members: drives.map((drive) => drive.slot) })
  return copies
}

async function openIndexCopy(drive: StoreDrive, log: EngineLog): Promise<LmdbIndex | undefined> {
  try {
    await access(join(drive.indexFolder, 'data.mdb'))
    // Checked even after a clean shutdown: a flipped bit could shorten a listing unnoticed.
    checkIndexFile(drive.indexFolder)
    return LmdbIndex.open(drive.indexFolder)
  } catch (error) {
    log.error({ err: error, drive: drive.path }, 'a copy of the index is damaged')
    return undefined
  }
}

/** Renames the damaged index of a drive to a name with the time, and removes earlier ones. */
export async function setAsideIndex({ path, indexFolder }: StoreDrive): Promise<void> {
  for (const name of await readdir(path)) {
    if (name.startsWith(SET_ASIDE_PREFIX)) await rm(join(path, name), { recursive: true })
  }
  await rename(indexFolder, join(path, `${SET_ASIDE_PREFIX}${new Date().toISOString().replaceAll(':', '-')}`))
}
