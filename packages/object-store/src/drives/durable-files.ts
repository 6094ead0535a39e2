import { mkdir, open, rename, writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { dirname } from 'node:path'
import { OWNER_FILE_MODE, OWNER_FOLDER_MODE } from '../lib/folder.ts'

/** Makes the names in a folder survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  await syncFile(folder)
}

/** Makes what a file holds survive a power failure. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Replaces a small file as a whole: after a crash it holds the old text or the new. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`
  await writeFile(temporary, text, { flush: true, mode: OWNER_FILE_MODE })
  await rename(temporary, path)
  await syncFolder(dirname(path))
}

/**
 * Makes one folder if it is not there. Never its parents: those of a drive that was taken away must not come into being
 * by our writing to it.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, OWNER_FOLDER_MODE)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** Whether the file system is full. LMDB returns the error number instead of the name. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false
  return error.code === 'ENOSPC' || error.code === 'EDQUOT' || error.code === constants.errno.ENOSPC
}
