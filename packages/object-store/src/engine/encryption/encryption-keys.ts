import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { successor } from '../../index-db/key-bounds.ts'
import { ENCRYPTION_KEY_BYTES } from '../../key-ring/key-file.ts'
import { S3Error } from '../../lib/errors.ts'
import type { EngineCore } from '../core/engine-core.ts'
import { encodeDocument, getDocument } from '../core/stored-documents.ts'
import type { EncryptionKeyInfo } from '../interface/types.ts'
import { indexKeys } from '../records/index-keys.ts'

/*
 * Named keys that wrap the keys of objects. Each is a document, encrypted by the key ring like all secrets. So a new key in
 * the key file rewrites one document per named key, but no objects.
 */

const COLLECTION = 'encryption-keys'
/** The key for callers that name none. It is created when it is first needed. */
export const DEFAULT_ENCRYPTION_KEY = 'stowage-default-key'

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$/
const storedKeySchema = z.object({ key: z.base64(), createdAt: z.number(), createdBy: z.string() })

/** @throws S3Error KMS.NotFoundException */
export function requireEncryptionKey(core: EngineCore, name: string): Buffer {
  const known = core.encryptionKeys.get(name)
  if (known) return known
  const text = getDocument(core, COLLECTION, name)
  if (text === undefined) throw new S3Error('KMS.NotFoundException', `There is no encryption key ${name}.`)
  const key = Buffer.from(storedKeySchema.parse(JSON.parse(text)).key, 'base64')
  // A key never changes.
  core.encryptionKeys.set(name, key)
  return key
}

/** @throws S3Error XMinioKMSKeyExists, InvalidArgument */
export async function createEncryptionKey(core: EngineCore, name: string, createdBy: string): Promise<void> {
  if (!NAME.test(name)) {
    throw new S3Error(
      'InvalidArgument',
      'The name of a key has 1 to 80 letters, digits, dots, hyphens and underscores.',
    )
  }
  if (!(await addEncryptionKey(core, name, createdBy)))
    throw new S3Error('XMinioKMSKeyExists', `The key ${name} already exists.`)
}

/** The default key is created when it is first needed. */
export async function ensureDefaultEncryptionKey(core: EngineCore): Promise<void> {
  if (core.encryptionKeys.has(DEFAULT_ENCRYPTION_KEY)) return
  if (getDocument(core, COLLECTION, DEFAULT_ENCRYPTION_KEY) === undefined)
    await addEncryptionKey(core, DEFAULT_ENCRYPTION_KEY, '')
}

async function addEncryptionKey(core: EngineCore, name: string, createdBy: string): Promise<boolean> {
  core.pool.checkRoom(0)
  const key = randomBytes(ENCRYPTION_KEY_BYTES).toString('base64')
  const text = JSON.stringify({ key, createdAt: core.now(), createdBy })
  return core.commit((tx) => {
    const place = indexKeys.document(COLLECTION, name)
    if (tx.get(place)) return false
    tx.put(place, encodeDocument(core.keyRing, COLLECTION, name, Buffer.from(text)))
    tx.note({ type: 'other' })
    return true
  })
}

export function hasEncryptionKey(core: EngineCore, name: string): boolean {
  return core.index.get(indexKeys.document(COLLECTION, name)) !== undefined
}

/** Sorted by name. */
export function listEncryptionKeys(core: EngineCore): EncryptionKeyInfo[] {
  const all = indexKeys.documents(COLLECTION)
  return Array.from(core.index.range(all, successor(all)), ({ key }) => {
    const name = key.toString('utf8', all.length)
    const { createdAt, createdBy } = storedKeySchema.parse(JSON.parse(getDocument(core, COLLECTION, name) ?? ''))
    return { name, createdAt, createdBy }
  })
}
