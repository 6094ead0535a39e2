/* Lifecycle, tiers, healing and replication. */

/** Access to tiers. Failures are `S3Error`s that can be shown to callers. */
export interface TierAccess {
  /** @param size bytes */
  put(tier: string, object: string, size: number, body: AsyncIterable<Uint8Array>): Promise<void>
  /** Reads `[start, end)` of an object. */
  get(tier: string, object: string, range: { start: number; end: number }): AsyncGenerator<Buffer, void, void>
  /** Not an error if the object does not exist. */
  remove(tier: string, object: string): Promise<void>
}

/** Result of a slice of a lifecycle scan. */
export interface LifecycleScanSlice {
  /** Number of keys that were checked. */
  scanned: number
  due: DueLifecycleKey[]
  /** The key to continue after; undefined at the end of the bucket. */
  next: string | undefined
}

/** A key with due actions. */
export interface DueLifecycleKey {
  key: string
  /** Whether versions expire or are removed. */
  removes: boolean
  /** Versions to be moved to a tier. */
  transitions: { versionId: string; storageClass: string }[]
}

/** Results of applying rules. */
export interface LifecycleResult {
  /** Number of removed versions and delete markers. */
  removed: number
  /** Number of written delete markers. */
  markers: number
  /** Bytes of the deleted versions. */
  bytes: number
  /** Number of versions that were kept because of a lock. */
  kept: number
}

export interface HealQuery {
  /** Empty: all buckets. */
  bucket: string
  /** Prefix of keys. */
  prefix: string
  /** Whether keys with a slash after the prefix are included. */
  recursive: boolean
  /** Whether all bytes of each copy are read; otherwise only existence and length of the files are checked. */
  deep: boolean
  /** Whether to check without healing. */
  dryRun: boolean
  /** Awaited after each item. @param spentMs how long the item took, in ms */
  pause(spentMs: number): Promise<void>
  signal: AbortSignal
}

/** An expected copy, and the drive that has or lacks it. */
export interface HealCopy {
  /** ID of the drive. */
  id: string
  path: string
  state: 'ok' | 'offline' | 'missing' | 'corrupt'
}

/** Result of checking or healing an item. */
export interface HealResult {
  type: 'bucket' | 'object'
  bucket: string
  /** Empty for a bucket. */
  key: string
  versionId: string
  /** Bytes; 0 for a bucket. */
  size: number
  /** For an object in several files: copies of the file with the fewest intact ones. */
  before: HealCopy[]
  after: HealCopy[]
  /** Why it could not be checked or healed. */
  error?: string
}

export interface ReplicationBacklogQuery {
  bucket: string
  /** ID of the target. */
  target: string
  state: 'PENDING' | 'FAILED'
  after?: number
  limit: number
}

/** A version to replicate to a target, or to delete there. */
export interface ReplicationTask {
  /** Numbers grow with time. */
  entry: number
  key: string
  versionId: string
  /** `delete`: the version was deleted here. */
  kind: 'version' | 'marker' | 'delete'
  /** Bytes. */
  size: number
  /** ms since 1970. */
  since: number
  attempts: number
  /** Why the target refused it; empty for a queued change. */
  reason: string
}

export type ReplicationTaskResult = Pick<ReplicationTask, 'entry'> & { status: 'COMPLETED' | 'FAILED'; reason?: string }

/** Counts for one target of a bucket. */
export interface ReplicationCounts {
  pending: number
  pendingBytes: number
  failed: number
  failedBytes: number
  /** Since the target was added. */
  completed: number
  completedBytes: number
}

export interface ScrubPace {
  /** Share of one core and of the disks: above 0, at most 1. */
  share: number
  /** Whether to read all objects too, not only the index. */
  blobs: boolean
}
