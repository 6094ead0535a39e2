import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { replaceFile } from '../drives/durable-files.ts'
import { KEY_ID_BYTES } from './envelope.ts'

export const ENCRYPTION_KEY_BYTES = 32

/** The file of the keys in the data folder, mode 600. The last key encrypts; the others only decrypt. */
export const ENCRYPTION_KEY_FILE = 'encryption-keys.json'

const keyFileSchema = z.object({
  version: z.literal(1),
  keys: z.array(z.object({ id: z.string(), key: z.base64(), createdAt: z.iso.datetime() })).min(1),
})
type KeyFile = z.infer<typeof keyFileSchema>

/** A key's ID is taken from the key, so a damaged key is noticed. */
export function computeKeyId(key: Uint8Array): string {
  return createHash('sha256').update(key).digest().toString('hex', 0, KEY_ID_BYTES)
}

/** Returns the keys in a file, oldest first; undefined if there is no file. @throws Error if the file is damaged */
export async function readEncryptionKeys(path: string): Promise<Buffer[] | undefined> {
  const file = await readKeyFile(path)
  return file?.keys.map(({ key }) => Buffer.from(key, 'base64'))
}

/** Adds a key, which is used for encryption from the next start on. Creates the file if needed. */
export async function addKeyToFile(path: string, key: Buffer = randomBytes(ENCRYPTION_KEY_BYTES)): Promise<void> {
  const file = (await readKeyFile(path)) ?? { version: 1, keys: [] }
  const entry = { id: computeKeyId(key), key: key.toString('base64'), createdAt: new Date().toISOString() }
  await replaceFile(path, `${JSON.stringify({ ...file, keys: [...file.keys, entry] }, undefined, 2)}\n`)
}

async function readKeyFile(path: string): Promise<KeyFile | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  const file = parseKeyFile(text)
  const sound = file?.keys.every(({ id, key }) => {
    const bytes = Buffer.from(key, 'base64')
    return bytes.length === ENCRYPTION_KEY_BYTES && computeKeyId(bytes) === id
  })
  if (!file || !sound) throw new Error(`The key file ${path} is damaged. Restore it from a backup.`)
  return file
}

function parseKeyFile(text: string): KeyFile | undefined {
  try {
    return keyFileSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
