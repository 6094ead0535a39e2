import type { BlobStore } from '../blobs/store.ts'
import type { DrivePool } from '../drives/pool.ts'
import type { Mirror } from '../index-db/mirror.ts'
import type { KeyRing } from '../key-ring/key-ring.ts'
import type { BucketTable } from './bucket-table.ts'
import type { Committer } from './committer.ts'
import type { EngineOptions } from './types.ts'

export type Log = NonNullable<EngineOptions['log']>

/** What the operations of the engine work with. */
export interface Core {
  pool: DrivePool
  /** Everything committed, durable and visible. */
  index: Mirror
  committer: Committer
  blobs: BlobStore
  buckets: BucketTable
  keyRing: KeyRing
  now: () => number
  log: Log
}
