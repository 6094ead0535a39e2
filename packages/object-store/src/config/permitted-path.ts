import { realpathSync } from 'node:fs'
import path from 'node:path'

/**
 * The real path of a file or folder that stands below one of these folders, links resolved; undefined for any other. A
 * relative path begins in the first folder. What does not exist yet is judged by the nearest folder that does.
 */
export function permittedPath(wanted: string, folders: readonly string[]): string | undefined {
  const [first] = folders
  if (first === undefined || wanted.includes('\0')) return undefined
  const real = realOf(path.resolve(first, wanted))
  return folders.some((folder) => real.startsWith(`${realOf(path.resolve(folder))}${path.sep}`)) ? real : undefined
}

function realOf(file: string): string {
  try {
    return realpathSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || path.dirname(file) === file) throw error
    return path.join(realOf(path.dirname(file)), path.basename(file))
  }
}
