import { successor } from '../index-db/bounds.ts'
import type { Core } from './core.ts'
import { checkName } from './failures.ts'
import { keys } from './keys.ts'

export function getDocument(core: Core, collection: string, name: string): string | undefined {
  return core.index.get(keys.document(collection, name))?.toString()
}

export function listDocuments(core: Core, collection: string): { name: string; value: string }[] {
  const all = keys.documents(collection)
  return Array.from(core.index.range(all, successor(all)), ({ key, value }) => ({
    name: key.toString('utf8', all.length),
    value: value.toString(),
  }))
}

export async function putDocuments(
  core: Core,
  changes: { collection: string; name: string; value: string | undefined }[],
): Promise<void> {
  if (changes.some(({ value }) => value !== undefined)) core.pool.checkRoom(0)
  await core.committer.commit((tx) => {
    for (const { collection, name, value } of changes) {
      checkName(name)
      const key = keys.document(collection, name)
      if (value === undefined) tx.remove(key)
      else tx.put(key, Buffer.from(value))
    }
    tx.note({ type: 'other' })
  })
}
