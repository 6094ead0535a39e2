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

/**
 * The records in IndexedDB. Where the browser refuses it (a private window of some), uploads work as well and only
 * can't be resumed after a reload; so failures are dropped here.
 */
export function openResumeRecords(): ResumeRecords {
  let opened: Promise<IDBDatabase> | undefined
  const store = async (mode: IDBTransactionMode) => {
    opened ??= open()
    return (await opened).transaction(STORE, mode).objectStore(STORE)
  }
  const quietly = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work()
    } catch {
      return otherwise
    }
  }
  return {
    put: (record) =>
      quietly(async () => {
        await done((await store('readwrite')).put(record))
      }, undefined),
    delete: (id) =>
      quietly(async () => {
        await done((await store('readwrite')).delete(id))
      }, undefined),
    ofOwner: (owner) => quietly(async () => await done((await store('readonly')).index('owner').getAll(owner)), []),
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open('stowage-transfers', 1)
  request.onupgradeneeded = () => {
    request.result.createObjectStore(STORE, { keyPath: 'id' }).createIndex('owner', 'owner')
  }
  return done(request)
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
