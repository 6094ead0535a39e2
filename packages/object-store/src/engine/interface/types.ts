import type { Readable } from 'node:stream'
import type {
  BucketSetting,
  BucketSettingChanges,
  BucketSettingName,
  BucketSettings,
} from '../../bucket-settings/bucket-settings.ts'
import type { Requester, StoreChange } from '../../journal/store-change.ts'
import type {
  HealQuery,
  HealResult,
  LifecycleResult,
  LifecycleScanSlice,
  ReplicationBacklogQuery,
  ReplicationCounts,
  ReplicationTask,
  ReplicationTaskResult,
  ScrubPace,
  TierAccess,
} from './background-types.ts'
import type {
  CompletedPart,
  CompleteUploadOptions,
  CopySourceRange,
  CreateUploadOptions,
  DeleteObjectEntry,
  DeleteObjectOptions,
  DeleteObjectResult,
  GovernanceBypass,
  ObjectHandle,
  ObjectInfo,
  ObjectListPage,
  ObjectListQuery,
  ObjectVersionName,
  PartInfo,
  PutObjectOptions,
  PutPartOptions,
  UploadInfo,
  UploadListPage,
  UploadName,
  VersionRetention,
} from './object-types.ts'

export type * from './background-types.ts'
export type * from './object-types.ts'
export type { Requester, StoreChange }

/**
 * The storage engine: buckets, objects, versions and uploads on drives. It has no HTTP or XML code.
 * Methods that change state resolve when the change is durable on two drives (on one, if there is only one) and visible to
 * every reader. Failures are `S3Error`s.
 */
export interface Engine {
  readonly deploymentId: string
  /** When this process opened the data (ms since 1970). */
  readonly startedAt: number
  readonly clock: Clock

  // --- buckets -----------------------------------------------------------------------------------------------------
  /** Returns all buckets, sorted by the bytes of their names, from memory. */
  listBuckets(): BucketInfo[]
  /** @throws S3Error NoSuchBucket */
  getBucket(name: string): BucketInfo
  /** @throws S3Error BucketAlreadyOwnedByYou, XMinioStorageFull */
  createBucket(name: string, options?: { objectLock?: boolean }): Promise<BucketInfo>
  /** Deletes an empty bucket; with `force` also its contents. @throws S3Error NoSuchBucket, BucketNotEmpty */
  deleteBucket(name: string, options?: { force?: boolean }): Promise<void>
  /** Returns a setting; undefined if not set. @throws S3Error NoSuchBucket, InternalError (the stored value is unreadable) */
  getBucketSetting<Name extends BucketSettingName>(
    bucket: string,
    name: Name,
  ): BucketSetting<BucketSettings[Name]> | undefined
  /** Changes settings in one transaction; `undefined` removes one. @throws S3Error NoSuchBucket, InvalidBucketState */
  setBucketSettings(bucket: string, changes: BucketSettingChanges): Promise<void>
  /** Returns the exact usage, which is counted in the same transactions as the writes. */
  bucketUsage(bucket: string): BucketUsageCounts

  // --- objects -----------------------------------------------------------------------------------------------------
  /**
   * Stores a body as a new version. The body is first read to its end, hashed and synced; then one index transaction makes
   * it the object. So readers see either the old object or the complete new one.
   * @throws S3Error NoSuchBucket, PreconditionFailed, XMinioAdminBucketQuotaExceeded, XMinioStorageFull, KeyTooLongError,
   *   XMinioInvalidObjectName, and whatever `body` or `check` throws
   */
  putObject(bucket: string, key: string, body: Readable, options: PutObjectOptions): Promise<ObjectInfo>
  /** @throws S3Error NoSuchBucket, NoSuchKey, NoSuchVersion, MethodNotAllowed (a delete marker, asked for by version) */
  getObject(bucket: string, key: string, versionId?: string): ObjectHandle
  /** Deletes a version. Without a version ID in a versioned bucket, writes a delete marker. A missing key is not an error. */
  deleteObject(bucket: string, key: string, options?: DeleteObjectOptions): Promise<DeleteObjectResult>
  /** Deletes up to 1,000 keys in one transaction. Returns one result per entry, in order. */
  deleteObjects(bucket: string, entries: DeleteObjectEntry[]): Promise<(DeleteObjectResult | Error)[]>
  /**
   * Links the segments of the source under a new key. Bytes are only copied if source and copy are encrypted differently.
   * Metadata and tags are those in `options`.
   */
  copyObject(
    source: ObjectHandle,
    bucket: string,
    key: string,
    options: Omit<PutObjectOptions, 'size'>,
  ): Promise<ObjectInfo>
  /** Replaces the tags; an empty object removes them. Creates no version. */
  setObjectTags(object: ObjectVersionName, tags: Record<string, string>): Promise<ObjectInfo>
  /** `undefined` removes the retention. @throws S3Error NoSuchKey, NoSuchVersion, InvalidRequest (locked), AccessDenied */
  setObjectRetention(
    object: ObjectVersionName,
    retention: VersionRetention | undefined,
    bypass?: GovernanceBypass,
  ): Promise<ObjectInfo>
  setObjectLegalHold(object: ObjectVersionName, legalHold: 'ON' | 'OFF'): Promise<ObjectInfo>

  // --- listings: one range scan, whose cost does not depend on the bucket --------------------------------------------
  /** Lists the latest versions that are not delete markers, in UTF-8 byte order. */
  listObjects(bucket: string, query: ObjectListQuery): ObjectListPage
  /** Lists all versions and delete markers: by key, newest first. */
  listVersions(bucket: string, query: ObjectListQuery & { versionMarker?: string }): ObjectListPage

  // --- lifecycle: actions by the rules of a bucket ---------------------------------------------------------------------
  /** Searches the keys after a key for due actions, for at most `ms`. Changes nothing. @throws S3Error NoSuchBucket */
  scanLifecycle(bucket: string, after: string, ms: number): LifecycleScanSlice
  /**
   * Applies the due actions of these keys, which are checked again inside the commit. Locked versions are kept.
   * @throws S3Error NoSuchBucket
   */
  applyLifecycle(bucket: string, keys: readonly string[]): Promise<LifecycleResult>

  // --- tiers: other stores to which bytes of versions are moved ------------------------------------------------------
  /** Sets the access to tiers; from then on queued removals run. */
  setTierAccess(access: TierAccess): void
  /** Moves a version to the tier that a rule requires now, unless it changes meanwhile. Resolves with the bytes moved. */
  transitionVersion(object: ObjectVersionName): Promise<number>
  /** Restores a local copy until a time (ms since 1970). @throws S3Error InvalidObjectState (not on a tier), NoSuchKey … */
  restoreVersion(object: ObjectVersionName, until: number): Promise<void>
  /** Returns the usage by name of the tier. */
  usageByTier(): ReadonlyMap<string, { size: number; versions: number }>
  /** Whether a tier has objects, including those that wait for their removal. */
  isTierUsed(tier: string): boolean

  // --- multipart ---------------------------------------------------------------------------------------------------
  createUpload(bucket: string, key: string, options: CreateUploadOptions): Promise<UploadInfo>
  /** Returns the upload that the calls below need. @throws S3Error NoSuchUpload */
  getUpload(upload: UploadName): UploadInfo
  /** Adds a part. It replaces an earlier one of the same number. @throws S3Error NoSuchUpload, if the upload ended meanwhile */
  putPart(upload: UploadInfo, part: number, body: Readable, options: PutPartOptions): Promise<PartInfo>
  /** Adds a range of an object as a part by reference; encrypted bytes are read and written again. */
  copyPart(source: CopySourceRange, upload: UploadInfo, part: number, customerKey?: Buffer): Promise<PartInfo>
  /**
   * Links the parts without copying their bytes. The ETag is the MD5 of the MD5s of the parts, with `-n`.
   * @throws S3Error NoSuchUpload, InvalidPart, InvalidPartOrder, EntityTooSmall (a part other than the last is under 5 MiB)
   */
  completeUpload(upload: UploadInfo, parts: CompletedPart[], options: CompleteUploadOptions): Promise<ObjectInfo>
  abortUpload(upload: UploadName): Promise<void>
  listParts(upload: UploadName, page: { after: number; limit: number }): { parts: PartInfo[]; truncated: boolean }
  listUploads(bucket: string, query: ObjectListQuery & { uploadMarker?: string }): UploadListPage

  // --- keys that encrypt objects: named, created by users or by the store, never shown --------------------------------
  /** @throws S3Error XMinioKMSKeyExists, InvalidArgument */
  createEncryptionKey(name: string, createdBy: string): Promise<void>
  listEncryptionKeys(): EncryptionKeyInfo[]
  hasEncryptionKey(name: string): boolean

  // --- replication: the commit that changes a version also queues it for the targets; it stays queued until it is settled
  /** Lists queued or refused changes of a target, oldest first, after `after`. */
  listReplicationBacklog(query: ReplicationBacklogQuery): ReplicationTask[]
  replicationCounts(bucket: string, target: string): ReplicationCounts
  /** Records the outcome of queued changes. A change that was queued again meanwhile stays queued. */
  settleReplicationTasks(bucket: string, target: string, outcomes: ReplicationTaskResult[]): Promise<void>
  /**
   * Queues versions for a target again, including versions that are older than the rule.
   * @returns number and bytes of the queued versions: those that a rule replicates to the target
   */
  queueVersions(
    bucket: string,
    target: string,
    versions: ObjectVersionName[],
  ): Promise<{ versions: number; bytes: number }>
  /** Queues refused changes of a target again, up to `limit`. @returns the number of queued changes */
  retryFailedReplication(bucket: string, target: string, limit: number): Promise<number>
  /** Removes the queue of a deleted target. */
  clearReplicationBacklog(bucket: string, target: string): Promise<void>
  /** Returns the delete marker to send; undefined if the version ID does not exist. @throws S3Error NoSuchBucket */
  getDeleteMarker(bucket: string, key: string, versionId: string): { lastModified: number } | undefined
  /** Applies changes by another store to an existing version: only newer values, and never a weaker lock. */
  applyReplicaMetadata(object: ObjectVersionName, options: PutObjectOptions): Promise<ObjectInfo>

  // --- documents: small named texts for other parts of the store (users, policies, sessions) --------------------------
  // Encrypted at rest, except for their names. All secrets are stored in documents and nowhere else.
  getDocument(collection: string, name: string): string | undefined
  listDocuments(collection: string): { name: string; value: string }[]
  /** Writes documents in one transaction; `undefined` removes one. */
  putDocuments(changes: { collection: string; name: string; value: string | undefined }[]): Promise<void>

  /** Returns the same engine for one caller. The caller is recorded with its changes. */
  forRequester(requester: Requester): Engine

  // --- the feed: all acknowledged changes, in order ------------------------------------------------------------------
  /** Calls back after each durable change, in order, after number `after` (default: now). Returns a function to unsubscribe. */
  subscribe(listener: (change: StoreChange) => void, after?: number): () => void
  /** Returns the number of the newest change. */
  lastChange(): number
  /** Returns the time of the newest change (ms since 1970); undefined if the journal no longer has it. */
  lastChangeAt(): Promise<number | undefined>
  /** Called when an administrator confirms that the wall clock is right: the end of retention follows it again. */
  confirmClock(): Promise<void>

  // --- state of the machine -----------------------------------------------------------------------------------------
  drives(): DriveState[]
  /**
   * Reads all copies of the index and all blobs now and heals damaged ones; the background check does the same slowly. Resolves
   * with the number of blobs checked and of damaged copies. Healing may continue after that.
   */
  check(signal?: AbortSignal): Promise<{ blobs: number; damagedCopies: number }>
  /**
   * Checks the copies of buckets and object versions, one after another, and restores missing and damaged ones. An item without
   * an intact copy is reported and left unchanged.
   * @throws S3Error NoSuchBucket, the signal's reason
   */
  heal(query: HealQuery): AsyncGenerator<HealResult, void, void>
  /** Returns the time of the last repair, in the background or by `heal`: ms since 1970; undefined: none since the start. */
  lastHealAt(): number | undefined
  /** Sets how to find out whether requests are being served. Healing then takes less of the disks. */
  setBusyCheck(isBusy: () => boolean): void
  /** Sets the pace of the background check, from its next step on. */
  setScrubPace(pace: ScrubPace): void
  /** Sets the maximum number of versions and delete markers per key. Further writes are refused. */
  setMaxVersions(versions: number): void
  /** Sets the rule for the compression of new bodies. Bodies stored in the index are never compressed. */
  setCompressionRule(rule: CompressionRule): void
  /** Returns when the background check last worked, ms since 1970; undefined before its first step. */
  scrubbedAt(): number | undefined
  close(): Promise<void>
}

export type CompressionRule = (object: { key: string; contentType: string; isEncrypted: boolean }) => boolean

export interface Clock {
  /** ms since 1970. */
  now(): number
  /** ms of a steady clock that cannot be set. */
  steady(): number
}

export interface BucketInfo {
  name: string
  /** ms since 1970. */
  createdAt: number
  /** Undefined until versioning was first enabled. */
  versioning: 'Enabled' | 'Suspended' | undefined
  objectLock: boolean
}

export interface BucketUsageCounts {
  /** Number of keys whose latest version is not a delete marker. */
  objects: number
  /** Number of versions, without delete markers. */
  versions: number
  deleteMarkers: number
  /** Bytes of all versions. */
  size: number
  /** Number of objects by MinIO's size ranges, such as `LESS_THAN_1024_B`, without the legacy sum range. */
  sizeHistogram: Record<string, number>
  /** Number of objects by number of versions: `UNVERSIONED`, `SINGLE_VERSION`, `BETWEEN_2_AND_10` … */
  versionsHistogram: Record<string, number>
}

/** A key that wraps the keys of objects. */
export interface EncryptionKeyInfo {
  name: string
  /** ms since 1970. */
  createdAt: number
  /** The user, or empty for the store itself. */
  createdBy: string
}

export interface DriveState {
  /** The configured name. */
  path: string
  id: string
  state: 'ok' | 'offline' | 'healing'
  /** Why it is offline. */
  reason?: string
  /** Healed share, 0 to 1; undefined unless it is being healed. */
  healed?: number
  /** Bytes of the file system, without the part reserved for root. */
  total: number
  free: number
  /** Device number of the file system (`st_dev`). Drives with the same number share their free space. */
  device: number
  /** Bytes that the store uses on it. */
  used: number
  /** Whether it has one of the two copies of journal and index. */
  keepsIndex: boolean
}

export interface EngineOptions {
  /** The data folder: lock, format version, and settings that do not belong to a drive. */
  data: string
  /** One or more folders. With one there is a single copy, with more every byte is stored twice. */
  drives: string[]
  /** Below this many free bytes on a drive, writes are refused with XMinioStorageFull. */
  minFree: number
  /** Whether to start without a lost key and remove the documents encrypted with it. Default: refuse to start. */
  discardEncrypted?: boolean
  log?: { info(o: object, msg: string): void; warn(o: object, msg: string): void; error(o: object, msg: string): void }
  /** ms since 1970; for tests. */
  now?: () => number
  /** A monotonic clock in ms; for tests. Default: `now` if given, otherwise the system's. */
  steadyNow?: () => number
}

export type EngineLog = NonNullable<EngineOptions['log']>
