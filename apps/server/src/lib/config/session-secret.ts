import { randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureFolder } from '../store-package/index.ts'

const FILE = 'session-secret'

/**
 * Returns the secret for sealing sessions if none is configured. It is generated once and kept in the data folder (mode 600),
 * so that sessions survive a restart.
 * @throws Error of the file system
 */
export async function readSessionSecret(dataFolder: string): Promise<string> {
  const file = join(dataFolder, FILE)
  const known = await read(file)
  if (known) return known
  await ensureFolder(dataFolder)
  const fresh = join(dataFolder, `.${FILE}.${randomBytes(6).toString('hex')}`)
  await writeFile(fresh, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    // A link instead of a rename: if two consoles start together, the second one uses the secret of the first.
    await link(fresh, file)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(fresh, { force: true })
  }
  const kept = await read(file)
  if (!kept) throw new Error(`${file} is empty. Remove it to generate a new one`)
  return kept
}

async function read(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
