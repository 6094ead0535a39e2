import { type IDBPDatabase, openDB } from 'idb'

const STORES = ['uploads', 'jobs'] as const

/** Records that survive a reload, by ID and by owner. */
export interface TransferRecords<T> {
  put(record: T): Promise<void>
  delete(id: string): Promise<void>
  listByOwner(owner: string): Promise<T[]>
}

/**
 * Returns the records of one kind in IndexedDB. If the browser denies access (some private windows), transfers still work but
 * cannot continue after a reload, so errors are ignored here.
 */
export function openTransferRecords<T extends { id: string; owner: string }>(
  store: (typeof STORES)[number],
): TransferRecords<T> {
  return {
    put: (record) => ignoreErrors(async (db) => void (await db.put(store, record)), undefined),
    delete: (id) => ignoreErrors(async (db) => await db.delete(store, id), undefined),
    // All records in the store were written by `put`.
    listByOwner: (owner) => ignoreErrors(async (db) => (await db.getAllFromIndex(store, 'owner', owner)) as T[], []),
  }
}

let database: Promise<IDBPDatabase> | undefined

async function ignoreErrors<R>(work: (db: IDBPDatabase) => Promise<R>, otherwise: R): Promise<R> {
  try {
    database ??= openDatabase()
    return await work(await database)
  } catch {
    return otherwise
  }
}

function openDatabase(): Promise<IDBPDatabase> {
  return openDB('stowage-transfers', 2, {
    upgrade(db) {
      for (const name of STORES)
        if (!db.objectStoreNames.contains(name))
          db.createObjectStore(name, { keyPath: 'id' }).createIndex('owner', 'owner')
    },
    // A tab with a newer version wants to upgrade the database: close the connection, so that it does not have to wait.
    blocking(_current, _blocked, { target }) {
      if (target instanceof IDBDatabase) target.close()
      database = undefined
    },
  })
}
