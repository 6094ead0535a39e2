import { successor } from '../index-db/bounds.ts'
import type { KeyRing } from '../key-ring/key-ring.ts'
import type { Core } from './core.ts'
import { checkName } from './failures.ts'
import { keys } from './keys.ts'

/** Collection of documents with the number of the last change that each durable subscriber has processed. */
export const CURSORS = 'cursors'

/** Unencrypted collections. New collections are encrypted by default. */
const PLAIN_COLLECTIONS: ReadonlySet<string> = new Set([CURSORS])

export function isEncrypted(collection: string): boolean {
  return !PLAIN_COLLECTIONS.has(collection)
}

/** Returns the stored form of a document. */
export function encodeDocument(ring: KeyRing, collection: string, name: string, value: Uint8Array): Uint8Array {
  return isEncrypted(collection) ? ring.encrypt(value, contextOf(collection, name)) : value
}

/** @throws DecryptionError */
export function decodeDocument(ring: KeyRing, collection: string, name: string, stored: Buffer): Buffer {
  return isEncrypted(collection) ? ring.decrypt(stored, contextOf(collection, name)) : stored
}

function contextOf(collection: string, name: string): string {
  return `document\0${collection}\0${name}`
}

export function getDocument(core: Core, collection: string, name: string): string | undefined {
  const stored = core.index.get(keys.document(collection, name))
  return stored && decodeDocument(core.keyRing, collection, name, stored).toString()
}

export function listDocuments(core: Core, collection: string): { name: string; value: string }[] {
  const all = keys.documents(collection)
  return Array.from(core.index.range(all, successor(all)), ({ key, value }) => {
    const name = key.toString('utf8', all.length)
    return { name, value: decodeDocument(core.keyRing, collection, name, value).toString() }
  })
}

export async function putDocuments(
  core: Core,
  changes: { collection: string; name: string; value: string | undefined }[],
): Promise<void> {
  if (changes.some(({ value }) => value !== undefined)) core.pool.checkRoom(0)
  await core.commit((tx) => {
    for (const { collection, name, value } of changes) {
      checkName(name)
      const key = keys.document(collection, name)
      if (value === undefined) tx.remove(key)
      else tx.put(key, encodeDocument(core.keyRing, collection, name, Buffer.from(value)))
    }
    tx.note({ type: 'other' })
  })
}
