import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Mode of the folders that the store makes: other users of the machine read no objects past it. */
export const OWNER_ONLY = 0o700

/**
 * Makes a folder and those above it, for this user alone. Node's own `recursive` never ends where a folder exists that
 * takes no new ones (`/proc`): it tries, is told that the folder above is missing, finds it there, and tries again.
 * @throws Error of the file system
 */
export async function ensureFolder(path: string): Promise<void> {
  if (await isFolder(path)) return
  await ensureFolder(dirname(path))
  try {
    await mkdir(path, OWNER_ONLY)
  } catch (error) {
    // Made by another process in the meantime.
    if (!(await isFolder(path))) throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
