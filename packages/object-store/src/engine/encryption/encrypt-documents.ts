import { successor } from '../../index-db/key-bounds.ts'
import { LmdbIndex } from '../../index-db/lmdb-index.ts'
import type { StoreJournal } from '../../journal/journal.ts'
import { encryptingKeyId } from '../../key-ring/envelope.ts'
import { ENCRYPTION_KEY_FILE } from '../../key-ring/key-file.ts'
import type { EngineCore } from '../core/engine-core.ts'
import { decodeDocument, encodeDocument, isEncryptedCollection } from '../core/stored-documents.ts'
import { indexKeys } from '../records/index-keys.ts'

/**
 * Encrypts all documents with the newest key: those of an older, unencrypted format and those under older keys. Must run
 * before any other change of the state.
 * @param discard removes documents whose key is lost
 * @throws Error if a key is lost and `discard` is false
 */
export async function encryptDocuments(core: EngineCore, journal: StoreJournal, discard: boolean): Promise<void> {
  const { keyRing, committer, log, pool } = core
  const documents = [...allDocuments(core)].filter(({ collection }) => isEncryptedCollection(collection))
  const lost = documents.filter(({ stored }) => keyRing.usesLostKey(stored))
  if (lost.length > 0 && !discard) throw lostKeysError(lost)
  // Not before: where the key file was lost, a start that is refused must not put another in its place.
  const keyFile = await keyRing.save()
  if (keyFile !== undefined) log.info({ keyFile }, 'created the key that encrypts secrets; keep a backup of this file')
  const old = documents.filter(({ stored }) => !keyRing.usesLostKey(stored) && !keyRing.usesNewestKey(stored))
  if (lost.length + old.length > 0) {
    await committer.commit((tx) => {
      for (const { key } of lost) tx.remove(key)
      for (const { key, collection, name, stored } of old) {
        const value = encryptingKeyId(stored) === undefined ? stored : decodeDocument(keyRing, collection, name, stored)
        tx.put(key, encodeDocument(keyRing, collection, name, value))
      }
      tx.note({ type: 'other' })
    })
    const text = 'documents were encrypted with the newest key; those whose key is lost were removed'
    log.info({ encrypted: old.length, removed: lost.length }, text)
  }
  if (pool.layout.documents === 'plain') await removePlainDocuments(core, journal)
}

function* allDocuments({
  index,
}: EngineCore): Generator<{ key: Buffer; collection: string; name: string; stored: Buffer }> {
  const table = indexKeys.table('D')
  for (const { key, value } of index.range(table, successor(table))) {
    const end = key.indexOf(0)
    yield {
      key: Buffer.from(key),
      collection: key.toString('utf8', table.length, end),
      name: key.toString('utf8', end + 1),
      stored: Buffer.from(value),
    }
  }
}

/**
 * Removes all unencrypted copies of documents: from free or rewritten pages of the index, from the journal, and from damaged
 * index copies that were set aside. The layout records completion last, so an interrupted start repeats all of it.
 */
async function removePlainDocuments({ pool, index, committer, log }: EngineCore, journal: StoreJournal): Promise<void> {
  await committer.exclusive(async () => {
    await index.flushed()
    for (const copy of index.copies) {
      if (copy.index instanceof LmdbIndex) index.replace(copy.slot, await copy.index.compact())
    }
    // All copies are complete and synced. A store of an older format has no subscribers to the feed yet.
    const { frame, seq } = committer.head
    const [failed] = await journal.rotate(journal.folders, frame + 1, seq)
    if (failed) throw failed.error
    await journal.removeOldSegments()
    for (const drive of pool.usable) await drive.removePlainCopies()
    await pool.changeLayout({ documents: 'encrypted' })
  })
  log.info({}, 'index and journal were rewritten; all documents in them are encrypted now')
}

function lostKeysError(lost: { collection: string; stored: Buffer }[]): Error {
  const ids = [...new Set(lost.map(({ stored }) => encryptingKeyId(stored)))].join(', ')
  const collections = [...new Set(lost.map(({ collection }) => collection))].join(', ')
  return new Error(
    `${ENCRYPTION_KEY_FILE} in the data folder lacks the key ${ids}, which ${lost.length} documents (${collections}) need. ` +
      'Restore the file from a backup, or set STOWAGE_DISCARD_ENCRYPTED=on for one start to remove these documents for good.',
  )
}
