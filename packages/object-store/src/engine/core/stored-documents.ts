import { successor } from '../../index-db/key-bounds.ts'
import type { KeyRing } from '../../key-ring/key-ring.ts'
import { checkStoredName } from '../records/engine-errors.ts'
import { indexKeys } from '../records/index-keys.ts'
import type { EngineCore } from './engine-core.ts'

/** Collection of documents with the number of the last change that each durable subscriber has processed. */
export const CURSOR_COLLECTION = 'cursors'

/** Unencrypted collections. New collections are encrypted by default. */
const PLAIN_COLLECTIONS: ReadonlySet<string> = new Set([CURSOR_COLLECTION])

export function isEncryptedCollection(collection: string): boolean {
  return !PLAIN_COLLECTIONS.has(collection)
}

/** Returns the stored form of a document. */
export function encodeDocument(ring: KeyRing, collection: string, name: string, value: Uint8Array): Uint8Array {
  return isEncryptedCollection(collection) ? ring.encrypt(value, documentContext(collection, name)) : value
}

/** @throws DecryptionError */
export function decodeDocument(ring: KeyRing, collection: string, name: string, stored: Buffer): Buffer {
  return isEncryptedCollection(collection) ? ring.decrypt(stored, documentContext(collection, name)) : stored
}

function documentContext(collection: string, name: string): string {
  return `document\0${collection}\0${name}`
}

export function getDocument(core: EngineCore, collection: string, name: string): string | undefined {
  const stored = core.index.get(indexKeys.document(collection, name))
  return stored && decodeDocument(core.keyRing, collection, name, stored).toString()
}

export function listDocuments(core: EngineCore, collection: string): { name: string; value: string }[] {
  const all = indexKeys.documents(collection)
  return Array.from(core.index.range(all, successor(all)), ({ key, value }) => {
    const name = key.toString('utf8', all.length)
    return { name, value: decodeDocument(core.keyRing, collection, name, value).toString() }
  })
}

export async function putDocuments(
  core: EngineCore,
  changes: { collection: string; name: string; value: string | undefined }[],
): Promise<void> {
  if (changes.some(({ value }) => value !== undefined)) core.pool.checkRoom(0)
  await core.commit((tx) => {
    for (const { collection, name, value } of changes) {
      checkStoredName(name)
      const key = indexKeys.document(collection, name)
      if (value === undefined) tx.remove(key)
      else tx.put(key, encodeDocument(core.keyRing, collection, name, Buffer.from(value)))
    }
    tx.note({ type: 'other' })
  })
}
