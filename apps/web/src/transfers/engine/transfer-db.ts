import { type IDBPDatabase, openDB } from 'idb'

const STORES = ['uploads', 'jobs'] as const

/** What is kept over a reload, by ID and by the user whom it belongs to. */
export interface Records<T> {
  put(record: T): Promise<void>
  delete(id: string): Promise<void>
  ofOwner(owner: string): Promise<T[]>
}

/**
 * The records of one kind in IndexedDB. Where the browser refuses it (a private window of some), transfers work as well and
 * only cannot continue after a reload, so failures are dropped here.
 */
export function openRecords<T extends { id: string; owner: string }>(store: (typeof STORES)[number]): Records<T> {
  return {
    put: (record) => quietly(async (db) => void (await db.put(store, record)), undefined),
    delete: (id) => quietly(async (db) => await db.delete(store, id), undefined),
    // Only `put` writes there.
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
    // A tab with a newer page wants to change the stores: close, so that it need not wait.
    blocking(_current, _blocked, { target }) {
      if (target instanceof IDBDatabase) target.close()
      opened = undefined
    },
  })
}
