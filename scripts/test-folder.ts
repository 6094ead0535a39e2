// Sets the folder for temporary files of tests: in memory if there is room. A store syncs each write to its drives, which is
// most of the time of a test; kill -9 loses nothing of a folder in memory either. `STOWAGE_TEST_TMP=/some/folder` uses a disk.
import { closeSync, constants, mkdirSync, openSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const PREFIX = 'stowage-tests-'
/** Required free space in bytes; the suites need less than half of it. */
const MIN_FREE = 4 * 1024 ** 3

/** Sets `TMPDIR` for this process and its children. The folder is deleted when this process ends. */
export function useTestFolder(): void {
  const parent = process.env.STOWAGE_TEST_TMP ?? (hasRoom() ? MEMORY : undefined)
  if (parent === undefined) return
  removeLeftovers(parent)
  const folder = join(parent, `${PREFIX}${process.pid}`)
  mkdirSync(folder, { recursive: true })
  process.env.TMPDIR = folder
  process.once('exit', () => remove(folder))
}

function hasRoom(): boolean {
  if (process.platform !== 'linux') return false
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= MIN_FREE && takesDirectWrites()
  } catch {
    // The folder does not exist.
    return false
  }
}

/** Whether the folder supports direct I/O like a disk, bypassing the page cache; before Linux 6.6 it does not. */
function takesDirectWrites(): boolean {
  const file = join(MEMORY, `${PREFIX}${process.pid}.probe`)
  try {
    closeSync(openSync(file, constants.O_CREAT | constants.O_WRONLY | constants.O_DIRECT))
    return true
  } finally {
    rmSync(file, { force: true })
  }
}

/** Deletes folders of runs that were killed. */
function removeLeftovers(parent: string): void {
  const names = readdirSync(parent).filter((name) => name.startsWith(PREFIX))
  for (const name of names) {
    if (!isRunning(Number(name.slice(PREFIX.length)))) remove(join(parent, name))
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    // The test of a full disk mounts one, which remains if the run was killed.
    console.warn(`Temporary files of tests remain in ${folder}: ${String(error)}`)
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
