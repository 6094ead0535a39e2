import { type IDBPDatabase, openDB } from 'idb'

const STORES = ['uploads', 'jobs'] as const

/** Records that survive a reload, by ID and by owner. */
export interface Records<T> {
  put(record: T): Promise<void>
  delete(id: string): Promise<void>
  ofOwner(owner: string): Promise<T[]>
}

/**
 * Returns the records of one kind in IndexedDB. If the browser denies access (some private windows), transfers still work but
 * cannot continue after a reload, so errors are ignored here.
 */
export function openRecords<T extends { id: string; owner: string }>(store: (typeof STORES)[number]): Records<T> {
  return {
    put: (record) => quietly(async (db) => void (await db.put(store, record)), undefined),
    delete: (id) => quietly(async (db) => await db.delete(store, id), undefined),
    // All records in the store were written by `put`.
    ofOwner: (owner) => quietly(async (db) => (await db.getAllFromIndex(store, 'owner', owner)) as T[], []),
  }
}

let opened: Promise<IDBPDatabase> | undefined

async function quietly<R>(work: (db: IDBPDatabase) => Promise<R>, otherwise: R): Promise<R> {
  try {
    opened ??= open()
    return await work(await opened)
  } catch {
    return otherwise
  }
}

function open(): Promise<IDBPDatabase> {
  return openDB('stowage-transfers', 2, {
    upgrade(db) {
      for (const name of STORES)
        if (!db.objectStoreNames.contains(name))
          db.createObjectStore(name, { keyPath: 'id' }).createIndex('owner', 'owner')
    },
    // A tab with a newer version wants to upgrade the database: close the connection, so that it does not have to wait.
    blocking(_current, _blocked, { target }) {
      if (target instanceof IDBDatabase) target.close()
      opened = undefined
    },
  })
}
