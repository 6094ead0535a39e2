import { randomBytes, randomInt } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { ensureFolder } from '../lib/folder.ts'

export interface RootCredentials {
  accessKey: string
  secretKey: string
}

/** The keys, and whether this call created them. */
export interface StoredRootCredentials extends RootCredentials {
  isNew: boolean
}

const FILE = 'root-credentials.json'
const StoredCredentials = z.object({ accessKey: z.string().min(3), secretKey: z.string().min(8) })

/**
 * Returns the administrator's credentials. Those that are not set are generated at the first start and stored in
 * `root-credentials.json` in the data folder, mode 600; every process reads the same ones.
 * @throws Error when the file cannot be written or does not contain credentials
 */
export async function loadRootCredentials(
  dataFolder: string,
  given: { accessKey?: string | undefined; secretKey?: string | undefined } = {},
): Promise<StoredRootCredentials> {
  if (given.accessKey !== undefined && given.secretKey !== undefined) {
    return { accessKey: given.accessKey, secretKey: given.secretKey, isNew: false }
  }
  const { isNew, ...stored } = await readOrCreate(path.resolve(dataFolder))
  return { accessKey: given.accessKey ?? stored.accessKey, secretKey: given.secretKey ?? stored.secretKey, isNew }
}

/**
 * Returns the secret key as it is printed at start. A generated one is printed only when it is created, because terminals and
 * logs keep what they print. Later starts print the name of its file, which only its owner can read.
 * @param root of the store
 * @param given the setting
 * @param isNew whether the store made the secret at this start
 */
export function printableSecretKey(
  dataFolder: string,
  root: RootCredentials,
  { given, isNew }: { given: string | undefined; isNew: boolean },
): string {
  if (given !== undefined) return '(as set)'
  return isNew ? root.secretKey : `in ${path.join(path.resolve(dataFolder), FILE)}`
}

async function readOrCreate(folder: string): Promise<StoredRootCredentials> {
  const file = path.join(folder, FILE)
  const existing = await read(file)
  if (existing) return { ...existing, isNew: false }
  await ensureFolder(folder)
  const fresh = path.join(folder, `.${FILE}.${randomBytes(6).toString('hex')}`)
  const credentials = { accessKey: generateAccessKey(), secretKey: generateSecretKey() }
  await writeFile(fresh, `${JSON.stringify(credentials, undefined, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    // A link, not a rename: of two processes that start together the second must take what the first wrote.
    await link(fresh, file)
    return { ...credentials, isNew: true }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const winner = await read(file)
    if (!winner) throw new Error(`${file} vanished while it was read`)
    return { ...winner, isNew: false }
  } finally {
    await rm(fresh, { force: true })
  }
}

async function read(file: string): Promise<RootCredentials | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    return StoredCredentials.parse(JSON.parse(text))
  } catch {
    throw new Error(`${file} does not contain credentials. Remove it to generate new ones`)
  }
}

const ACCESS_KEY_LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** 20 characters of `[0-9A-Z]`, as servers of this family make them. */
export function generateAccessKey(): string {
  return Array.from({ length: 20 }, () => ACCESS_KEY_LETTERS[randomInt(ACCESS_KEY_LETTERS.length)]).join('')
}

/** 40 characters of the base64 alphabet; no `/`, which has to be escaped in URLs. */
export function generateSecretKey(): string {
  return randomBytes(30).toString('base64').replaceAll('/', '+')
}
