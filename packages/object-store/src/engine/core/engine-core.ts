import type { BlobStore } from '../../blobs/blob-store.ts'
import type { DrivePool } from '../../drives/drive-pool.ts'
import type { IndexMirror } from '../../index-db/index-mirror.ts'
import type { KeyRing } from '../../key-ring/key-ring.ts'
import type { Committer } from '../commit/committer.ts'
import type { Transaction } from '../commit/transaction.ts'
import type { CompressionRule, EngineLog, TierAccess } from '../interface/types.ts'
import type { BucketTable } from './bucket-table.ts'
import type { LockClock } from './lock-clock.ts'

/** Shared parts of the engine's operations. */
export interface EngineCore {
  pool: DrivePool
  /** The committed state, durable and visible. */
  index: IndexMirror
  committer: Committer
  /** `committer.commit`, on behalf of the requester if there is one. */
  commit: <T>(decide: (tx: Transaction) => T) => Promise<T>
  blobs: BlobStore
  buckets: BucketTable
  keyRing: KeyRing
  now: () => number
  /** Decrypted keys by name. */
  encryptionKeys: Map<string, Buffer>
  /** The clock that decides when retention ends. */
  lockClock: LockClock
  tiers: {
    /** Undefined until the server has started. */
    access: TierAccess | undefined
    /** Objects that are being written to tiers. */
    active: Set<string>
    /** Starts the removal of tier objects that no version needs. */
    collect: () => void
  }
  limits: {
    /** Maximum number of versions and delete markers of one key. */
    versions: number
  }
  load: {
    /** Whether requests are being served. Set by the server. */
    isBusy: () => boolean
  }
  compression: {
    /** Set by the configuration. */
    isWanted: CompressionRule
  }
  log: EngineLog
}
