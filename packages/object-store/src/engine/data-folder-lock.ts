import { createHash } from 'node:crypto'
import { readFile, realpath, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { OWNER_FILE_MODE } from '../lib/folder.ts'

/** Another process has the data folder open. */
export class DataFolderLocked extends Error {
  override readonly name = 'DataFolderLocked'
  constructor(
    readonly folder: string,
    /** Its process ID, if known. */
    readonly pid: number | undefined,
  ) {
    super(`${folder} is in use by process ${pid ?? '(unknown)'}`)
  }
}

/**
 * Locks a data folder for this process. The lock is a socket in Linux's abstract namespace, named after the folder: the
 * kernel gives it to one process and releases it when that process ends for any reason, so no stale lock can remain. The
 * file `lock` in the folder only shows the process ID to people.
 * @returns a function that releases the lock
 * @throws DataFolderLocked
 */
export async function lockDataFolder(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'lock')
  const server = createServer((socket) => socket.end()).unref()
  try {
    await listen(server, await socketName(folder))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10)
    throw new DataFolderLocked(folder, Number.isNaN(pid) ? undefined : pid)
  }
  await writeFile(file, `${process.pid}\n`, { mode: OWNER_FILE_MODE })
  return () => new Promise((resolve) => server.close(() => resolve()))
}

async function socketName(folder: string): Promise<string> {
  const hash = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
    .slice(0, 32)
  return process.platform === 'win32' ? `\\\\.\\pipe\\stowage-${hash}` : `\0stowage-${hash}`
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ path, exclusive: true }, () => resolve())
  })
}
