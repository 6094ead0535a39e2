import { chmod, lstat, mkdir, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Mode of the folders that store and console make: other users of the machine read nothing past it. */
export const OWNER_FOLDER_MODE = 0o700
/** Mode of the files that they make. */
export const OWNER_FILE_MODE = 0o600
/** Permissions denied by `OWNER_FOLDER_MODE` and `OWNER_FILE_MODE`: all for other users and the group. */
const OTHERS = 0o077

/**
 * Makes a folder and those above it, for this user alone. Node's own `recursive` never ends where a folder exists that
 * takes no new ones (`/proc`): it tries, gets ENOENT for the parent folder, finds that it exists, and tries again.
 * @throws Error of the file system
 */
export async function ensureFolder(path: string): Promise<void> {
  if (await isFolder(path)) return
  await ensureFolder(dirname(path))
  try {
    await mkdir(path, OWNER_FOLDER_MODE)
  } catch (error) {
    // Made by another process in the meantime.
    if (!(await isFolder(path))) throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}

/** Files and folders of store and console in the data folder. Add new names here. */
const DATA_NAMES =
  /^(format\.json|lock|drives|encryption-keys\.json|root-credentials\.json|session-secret|events|lost\+found)$|\.new$|^\.(root-credentials\.json|session-secret)\./

/**
 * Closes a data folder that was made with wider rights to other users: the folder, and the files in it that are ours. A
 * folder that holds other things too keeps its rights; the files are closed all the same.
 * @param drives folders of drives, which may be in it
 * @returns what could not be closed, as lines for the log
 */
export async function closeDataFolder(folder: string, drives: readonly string[] = []): Promise<string[]> {
  const path = await realpath(folder)
  const names = await readdir(path)
  const own = names.filter((name) => DATA_NAMES.test(name))
  const drivesWithin = drives.filter((drive) => dirname(drive) === folder).map((drive) => basename(drive))
  const foreign = names.find((name) => !DATA_NAMES.test(name) && !drivesWithin.includes(name))
  const open: string[] = []
  for (const name of own) open.push(...(await closeToOthers(join(path, name))))
  const { mode } = await stat(path)
  if ((mode & OTHERS) !== 0) {
    if (foreign === undefined) open.push(...(await closeToOthers(path)))
    else open.push(`${path} keeps its rights because it also holds "${foreign}"`)
  }
  return open
}

/**
 * Takes from other users every right to a file or folder, where it is there. A link is left as it is.
 * @returns why that was not possible, if it was not
 */
export async function closeToOthers(path: string): Promise<string[]> {
  try {
    const found = await lstat(path)
    if (found.isSymbolicLink() || (found.mode & OTHERS) === 0) return []
    await chmod(path, found.isDirectory() ? OWNER_FOLDER_MODE : OWNER_FILE_MODE)
    return []
  } catch (error) {
    if (isAbsent(error)) return []
    return [`${path} cannot be closed to other users: ${error instanceof Error ? error.message : String(error)}`]
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
