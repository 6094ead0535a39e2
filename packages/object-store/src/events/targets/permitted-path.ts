import { realpathSync } from 'node:fs'
import path from 'node:path'

/**
 * Returns the real path of a file or folder below one of these folders, with links resolved; undefined for any other. Relative
 * paths start at the first folder. For a path that does not exist, the nearest existing folder is checked.
 */
export function permittedPath(wanted: string, folders: readonly string[]): string | undefined {
  const [first] = folders
  if (first === undefined || wanted.includes('\0')) return undefined
  const real = realPath(path.resolve(first, wanted))
  return folders.some((folder) => real.startsWith(`${realPath(path.resolve(folder))}${path.sep}`)) ? real : undefined
}

function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || path.dirname(file) === file) throw error
    return path.join(realPath(path.dirname(file)), path.basename(file))
  }
}
