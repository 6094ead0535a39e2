import { type DBSchema, openDB } from 'idb'

/** What is kept of an upload in parts, so that it goes on after the page was loaded anew. The file itself can't be. */
export interface ResumeRecord {
  id: string
  owner: string
  bucket: string
  key: string
  uploadId: string
  /** Bytes. */
  partSize: number
  /** To know the file again by. */
  name: string
  size: number
  lastModified: number
  contentType: string
  /** Bytes of whole parts when last told, to show; the server is asked before going on. */
  kept: number
}

export interface ResumeRecords {
  put(record: ResumeRecord): Promise<void>
  delete(id: string): Promise<void>
  ofOwner(owner: string): Promise<ResumeRecord[]>
}

const STORE = 'uploads'

interface Schema extends DBSchema {
  [STORE]: { key: string; value: ResumeRecord; indexes: { owner: string } }
}

/**
 * The records in IndexedDB. Where the browser refuses it (a private window of some), uploads work as well and only
 * can't be resumed after a reload; so failures are dropped here.
 */
export function openResumeRecords(): ResumeRecords {
  let opened: ReturnType<typeof open> | undefined
  const quietly = async <T>(work: (db: Awaited<ReturnType<typeof open>>) => Promise<T>, otherwise: T): Promise<T> => {
    try {
      opened ??= open()
      return await work(await opened)
    } catch {
      return otherwise
    }
  }
  return {
    put: (record) => quietly(async (db) => void (await db.put(STORE, record)), undefined),
    delete: (id) => quietly(async (db) => await db.delete(STORE, id), undefined),
    ofOwner: (owner) => quietly(async (db) => await db.getAllFromIndex(STORE, 'owner', owner), []),
  }
}

function open() {
  return openDB<Schema>('stowage-transfers', 1, {
    upgrade: (db) => void db.createObjectStore(STORE, { keyPath: 'id' }).createIndex('owner', 'owner'),
  })
}
