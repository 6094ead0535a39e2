import type { Readable } from 'node:stream'
import type { BucketSettings, Setting, SettingChanges, SettingName } from '../bucket-settings/index.ts'
import type { RetentionMode } from '../bucket-settings/object-lock.ts'
import type { Change, Requester } from '../journal/change.ts'

export type { Change, Requester }

/**
 * The engine: buckets, objects, versions and uploads on drives, without HTTP or XML. `http` uses no other file of the engine.
 * Methods that change state resolve when the change is durable on two drives (on one, if there is only one) and visible to
 * every reader. Failures are `S3Error`s.
 */
export interface Engine {
  readonly deploymentId: string
  /** When this process opened the data (ms since 1970). */
  readonly startedAt: number
  readonly clock: Clock

  // --- buckets -----------------------------------------------------------------------------------------------------
  /** Sorted by the bytes of the names. Answered from memory. */
  listBuckets(): BucketInfo[]
  /** @throws S3Error NoSuchBucket */
  getBucket(name: string): BucketInfo
  /** @throws S3Error BucketAlreadyOwnedByYou, XMinioStorageFull */
  createBucket(name: string, options?: { objectLock?: boolean }): Promise<BucketInfo>
  /** `force` drops what is in it as well. @throws S3Error NoSuchBucket, BucketNotEmpty */
  deleteBucket(name: string, options?: { force?: boolean }): Promise<void>
  /** Undefined when it is not set. @throws S3Error NoSuchBucket, InternalError (what is stored cannot be read) */
  getBucketSetting<Name extends SettingName>(bucket: string, name: Name): Setting<BucketSettings[Name]> | undefined
  /** All or none, in one transaction; `undefined` removes. @throws S3Error NoSuchBucket, InvalidBucketState */
  setBucketSettings(bucket: string, changes: SettingChanges): Promise<void>
  /** Exact, counted in the same transaction as the writes. */
  usage(bucket: string): BucketUsage

  // --- objects -----------------------------------------------------------------------------------------------------
  /**
   * Stores a body under a fresh version. The body is read to its end, hashed and synced first; then one index
   * transaction makes it the object, so that a reader sees the old object or the new one, whole.
   * @throws S3Error NoSuchBucket, PreconditionFailed, XMinioAdminBucketQuotaExceeded, XMinioStorageFull, KeyTooLongError,
   *   XMinioInvalidObjectName, and whatever `body` or `check` throws
   */
  putObject(bucket: string, key: string, body: Readable, options: PutOptions): Promise<ObjectInfo>
  /** @throws S3Error NoSuchBucket, NoSuchKey, NoSuchVersion, MethodNotAllowed (a delete marker, asked for by version) */
  getObject(bucket: string, key: string, versionId?: string): ObjectHandle
  /** A missing key is not an error. In a versioned bucket without a version ID it writes a delete marker. */
  deleteObject(bucket: string, key: string, options?: DeleteOptions): Promise<DeleteResult>
  /** One transaction for up to 1,000 keys; one result per entry, in order. */
  deleteObjects(bucket: string, entries: DeleteEntry[]): Promise<(DeleteResult | Error)[]>
  /**
   * Links the source's segments under a new key; copies no bytes, unless source and copy are encrypted differently.
   * Metadata and tags as given in `options`.
   */
  copyObject(source: ObjectHandle, bucket: string, key: string, options: Omit<PutOptions, 'size'>): Promise<ObjectInfo>
  /** Replaces the tags; an empty object removes them. Creates no version. */
  setObjectTags(object: ObjectName, tags: Record<string, string>): Promise<ObjectInfo>
  /** `undefined` removes it. @throws S3Error NoSuchKey, NoSuchVersion, InvalidRequest (locked), AccessDenied */
  setRetention(object: ObjectName, retention: Retention | undefined, bypass?: GovernanceBypass): Promise<ObjectInfo>
  setLegalHold(object: ObjectName, legalHold: 'ON' | 'OFF'): Promise<ObjectInfo>

  // --- listings: one range scan, whose cost does not grow with the bucket --------------------------------------------
  /** Latest versions that are no delete markers, in UTF-8 byte order. */
  listObjects(bucket: string, query: ListQuery): ListPage
  /** All versions and delete markers: by key, newest first. */
  listVersions(bucket: string, query: ListQuery & { versionMarker?: string }): ListPage

  // --- lifecycle: what the rules of a bucket do by themselves ----------------------------------------------------------
  /** Looks for what is due behind a key, for at most `ms`. Changes nothing. @throws S3Error NoSuchBucket */
  scanLifecycle(bucket: string, after: string, ms: number): LifecycleSlice
  /**
   * Applies the due actions of these keys, decided again inside the commit; locked versions are kept. @throws S3Error
   * NoSuchBucket
   */
  applyLifecycle(bucket: string, keys: readonly string[]): Promise<LifecycleResult>

  // --- tiers: other stores that the bytes of versions are moved to ----------------------------------------------------
  /** Sets the access to tiers; from then on queued removals run. */
  useTiers(access: TierAccess): void
  /** Moves a version to the tier that a rule names for it now; what changed meanwhile stays. Resolves with the bytes moved. */
  transitionVersion(object: ObjectName): Promise<number>
  /** Brings a copy of a version back for some time. @throws S3Error InvalidObjectState (it is on no tier), NoSuchKey … */
  restoreVersion(object: ObjectName, until: number): Promise<void>
  /** By the name of the tier. */
  tierUsage(): ReadonlyMap<string, { size: number; versions: number }>
  /** Whether objects lie on a tier, those included that are still to be removed. */
  isTierUsed(tier: string): boolean

  // --- multipart ---------------------------------------------------------------------------------------------------
  createUpload(bucket: string, key: string, options: UploadOptions): Promise<UploadInfo>
  /** Returns the upload that the calls below need. @throws S3Error NoSuchUpload */
  getUpload(upload: UploadName): UploadInfo
  /** A part put again replaces the one before. @throws S3Error NoSuchUpload, if it has ended meanwhile */
  putPart(upload: UploadInfo, part: number, body: Readable, options: PartOptions): Promise<PartInfo>
  /** Adds a range of an object as a part by reference; encrypted bytes are read and written again. */
  copyPart(source: CopyRange, upload: UploadInfo, part: number, customerKey?: Buffer): Promise<PartInfo>
  /**
   * Links the parts; copies no bytes. The ETag is the MD5 of the parts' MD5s with `-n`.
   * @throws S3Error NoSuchUpload, InvalidPart, InvalidPartOrder, EntityTooSmall (a part but the last under 5 MiB)
   */
  completeUpload(upload: UploadInfo, parts: CompletePart[], options: CompleteOptions): Promise<ObjectInfo>
  abortUpload(upload: UploadName): Promise<void>
  listParts(upload: UploadName, page: { after: number; limit: number }): { parts: PartInfo[]; truncated: boolean }
  listUploads(bucket: string, query: ListQuery & { uploadMarker?: string }): UploadPage

  // --- keys that encrypt objects: named, made by people or by the store, never shown ----------------------------------
  /** @throws S3Error XMinioKMSKeyExists, InvalidArgument */
  createEncryptionKey(name: string, createdBy: string): Promise<void>
  listEncryptionKeys(): EncryptionKeyInfo[]
  hasEncryptionKey(name: string): boolean

  // --- replication: what waits for a target is noted in the commit that changed the version, and stays until it is settled
  /** Queued or refused changes of a target, oldest first, after `after`. */
  listWaiting(query: WaitingQuery): WaitingChange[]
  replicationCounts(bucket: string, target: string): ReplicationCounts
  /** The outcome of queued changes. A change that was queued again meanwhile stays queued. */
  settleWaiting(bucket: string, target: string, outcomes: SettledChange[]): Promise<void>
  /**
   * Lets versions, those of an object that were there before a rule included, wait for a target (again).
   * @returns what was queued: the versions that a rule replicates to the target
   */
  queueVersions(bucket: string, target: string, versions: ObjectName[]): Promise<{ versions: number; bytes: number }>
  /** Queues refused changes of a target again, up to the given number. @returns how many were queued */
  retryRefused(bucket: string, target: string, limit: number): Promise<number>
  /** Removes the queue of a deleted target. */
  dropWaiting(bucket: string, target: string): Promise<void>
  /** The delete marker to send; undefined if the version ID does not exist. @throws S3Error NoSuchBucket */
  getMarker(bucket: string, key: string, versionId: string): { lastModified: number } | undefined
  /** Applies another store's changes to a version that exists here: newer values only, and never a weaker lock. */
  receiveMetadata(object: ObjectName, options: PutOptions): Promise<ObjectInfo>

  // --- documents: small named texts of other parts of the store (users, policies, sessions) ---------------------------
  // Encrypted at rest, except their names. Everything secret is kept in documents and nowhere else.
  getDocument(collection: string, name: string): string | undefined
  listDocuments(collection: string): { name: string; value: string }[]
  /** All or none, in one transaction; `undefined` removes. */
  putDocuments(changes: { collection: string; name: string; value: string | undefined }[]): Promise<void>

  /** Returns the same engine for one caller, who is recorded with its changes. */
  onBehalfOf(requester: Requester): Engine

  // --- the feed: everything acknowledged, in order -------------------------------------------------------------------
  /** Calls back after each durable change, in order, from `after` on (default: now). Returns the function that ends it. */
  subscribe(listener: (change: Change) => void, after?: number): () => void
  /** The number of the newest change. */
  lastChange(): number
  /** When the newest change was made (ms since 1970); undefined when the journal no longer has it. */
  lastChangeAt(): Promise<number | undefined>
  /** The wall clock is right, an administrator says: retention ends by it again. */
  confirmClock(): Promise<void>

  // --- state of the machine -----------------------------------------------------------------------------------------
  drives(): DriveState[]
  /**
   * Reads every copy of everything now and heals what is damaged; the background check does the same slowly. Resolves with
   * what was looked at and found, while the healing may still be going on.
   */
  check(signal?: AbortSignal): Promise<{ blobs: number; damagedCopies: number }>
  /**
   * Looks at the copies of buckets and object versions, one after the other, and makes those anew that are missing or
   * damaged. What has no whole copy left is reported and stays as it is.
   * @throws S3Error NoSuchBucket, the signal's reason
   */
  heal(query: HealQuery): AsyncGenerator<HealItem, void, void>
  /** When something was healed last, in the background or by `heal`: ms since 1970; undefined: not since the start. */
  lastHealAt(): number | undefined
  /** Sets the pace of the background check, from its next step on. */
  setScrubPace(pace: ScrubPace): void
  /** How many versions and delete markers a key may have before a write of another one is refused. */
  setMaxVersions(versions: number): void
  /** Which bodies are compressed from now on; those of the index never are. */
  useCompression(rule: CompressionRule): void
  /** When the background check last worked, ms since 1970; undefined before its first step. */
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

/** The way to tiers. Failures are `S3Error`s that can be shown to callers. */
export interface TierAccess {
  /** @param size bytes */
  put(tier: string, object: string, size: number, body: AsyncIterable<Uint8Array>): Promise<void>
  /** `[start, end)` of an object. */
  get(tier: string, object: string, range: { start: number; end: number }): AsyncGenerator<Buffer, void, void>
  /** Not an error if the object does not exist. */
  remove(tier: string, object: string): Promise<void>
}

/** Result of a slice of a lifecycle scan. */
export interface LifecycleSlice {
  /** Keys that were looked at. */
  scanned: number
  due: DueKey[]
  /** The key to continue after; undefined at the end of the bucket. */
  next: string | undefined
}

/** A key that rules would act on now. */
export interface DueKey {
  key: string
  /** Versions expire or are removed. */
  removes: boolean
  /** Versions to be moved to a tier. */
  transitions: { versionId: string; storageClass: string }[]
}

/** Results of applying rules. */
export interface LifecycleResult {
  /** Versions and delete markers that were removed. */
  removed: number
  /** Delete markers that were written. */
  markers: number
  /** Bytes of the deleted versions. */
  bytes: number
  /** Versions that a lock kept. */
  kept: number
}

export interface BucketInfo {
  name: string
  /** ms since 1970. */
  createdAt: number
  /** Unset until versioning was first switched on. */
  versioning: 'Enabled' | 'Suspended' | undefined
  objectLock: boolean
}

export interface BucketUsage {
  /** Latest versions that are no delete markers. */
  objects: number
  /** Number of versions, without delete markers. */
  versions: number
  deleteMarkers: number
  /** Bytes of all versions. */
  size: number
  /** The server family's ranges, such as `LESS_THAN_1024_B`, without the legacy sum range. */
  sizeHistogram: Record<string, number>
  /** `UNVERSIONED`, `SINGLE_VERSION`, `BETWEEN_2_AND_10` …, objects per number of versions. */
  versionsHistogram: Record<string, number>
}

/** An object, or a version of it. */
export interface ObjectName {
  bucket: string
  key: string
  versionId?: string | undefined
}

/** Bytes to copy; without a range the whole object. `range` is inclusive. */
export interface CopyRange {
  handle: ObjectHandle
  range?: { start: number; end: number } | undefined
}

/** Metadata that a writer gives with an object. */
export interface ObjectDescription {
  /** Stored standard headers, lower case: content-type, cache-control, content-encoding, x-amz-storage-class … */
  headers: Record<string, string>
  /** User metadata: names lower case without `x-amz-meta-`. */
  metadata: Record<string, string>
  tags: Record<string, string>
}

export interface ObjectInfo extends ObjectDescription {
  bucket: string
  key: string
  /** A UUID, or `null` for what was written without versioning. */
  versionId: string
  isLatest: boolean
  deleteMarker: boolean
  /** Bytes. */
  size: number
  /** Without quotes. */
  etag: string
  /** ms since 1970. */
  lastModified: number
  checksum?: Checksum
  lock?: VersionLock
  encryption?: ObjectEncryption
  /** Its bytes are on a tier; a copy is here until `restoredUntil` (ms since 1970), if that is set. */
  tier?: { restoredUntil?: number }
  replication?: ReplicationInfo
  /** Sizes of the parts of an object that came in parts. */
  parts?: { size: number; checksum?: string }[]
}

/** How far a version has been replicated, or that it is a replica. */
export interface ReplicationInfo {
  /** The sum over all targets. */
  status: ReplicationStatus | 'REPLICA'
  times: ReplicationTimes
  /** By target ID. */
  targets: Readonly<Record<string, ReplicationStatus>>
}

/** The encryption of an object. */
export interface ObjectEncryption {
  mode: 'SSE-S3' | 'SSE-KMS' | 'SSE-C'
  /** The name of the key that wraps the object's; undefined for SSE-C. */
  keyId?: string
}
/** The requested encryption of an object. A customer's key has 32 bytes, and is not stored. */
export type EncryptionRequest =
  | { mode: 'SSE-S3' }
  | { mode: 'SSE-KMS'; keyId?: string | undefined }
  | { mode: 'SSE-C'; key: Buffer }

/** A key that wraps the keys of objects. */
export interface EncryptionKeyInfo {
  name: string
  /** ms since 1970. */
  createdAt: number
  /** The user, or empty for the store itself. */
  createdBy: string
}

export interface Retention {
  mode: RetentionMode
  /** ms since 1970. */
  until: number
}

/** Protection of a version against deletion. */
export interface VersionLock {
  retention?: Retention
  legalHold?: 'ON' | 'OFF'
}

/** The caller asks to bypass retention in governance mode, and may or may not. */
export type GovernanceBypass = 'allowed' | 'denied'

export type ChecksumAlgorithm = 'CRC32' | 'CRC32C' | 'CRC64NVME' | 'SHA1' | 'SHA256'
export interface Checksum {
  algorithm: ChecksumAlgorithm
  /** Base64; a composite one ends with `-n`. */
  value: string
  type: 'FULL_OBJECT' | 'COMPOSITE'
}

export type ReplicationStatus = 'PENDING' | 'COMPLETED' | 'FAILED'

/** When parts of a version's description were last changed, ms since 1970; absent: with the version. */
export interface ReplicationTimes {
  tags?: number
  retention?: number
  legalHold?: number
}

/** A version that another store sends. Its ID and modification time are given beside it. */
export interface ReplicaSource {
  times: ReplicationTimes
  /** Without quotes; that of an encrypted object cannot be computed from what arrives. */
  etag?: string | undefined
}

export interface PutOptions extends Partial<ObjectDescription> {
  /** Declared length in bytes, if known: checked against quota and free space before the body is read. */
  size?: number
  /** Default: the bucket's default encryption. */
  encryption?: EncryptionRequest | undefined
  /** Default: the retention that the bucket gives to new versions. */
  lock?: VersionLock | undefined
  /** Decided inside the commit, so that of two racing writers exactly one wins. `match: '*'` means "must exist". */
  condition?: { match?: string; noneMatch?: string }
  /** Called when the body has ended and before anything is visible; throws to refuse (digest wrong, trailer missing). */
  check?: (received: { size: number; md5: string }) => Checksum | undefined | Promise<Checksum | undefined>
  /** For replication and tests; by default a new one. */
  versionId?: string
  lastModified?: number
  replica?: ReplicaSource | undefined
}

/** Properties of the object after the upload is completed. */
export interface UploadOptions extends Omit<PutOptions, 'size' | 'check' | 'condition'> {
  /** Checksum of the parts, and of the object on completion. */
  checksumAlgorithm?: ChecksumAlgorithm
  checksumType?: Checksum['type']
}

export interface PartOptions {
  size?: number
  /** Of an upload that was created with one. */
  customerKey?: Buffer | undefined
  check?: PutOptions['check']
}

export interface CompleteOptions {
  condition?: PutOptions['condition']
  /** Expected checksum of the whole, checked if given. */
  checksum?: Checksum
  /** Expected length of the whole in bytes, checked if given. */
  size?: number
  /** For a replica, ms since 1970. */
  lastModified?: number | undefined
}
export interface CompletePart {
  part: number
  etag: string
  /** Base64, if the client repeats it. */
  checksum?: string
}

export interface ObjectHandle {
  info: ObjectInfo
  /**
   * Gives the key of an object that was encrypted with a customer's, before anything is read of it.
   * @throws S3Error InvalidRequest (none given, or one for an object without), InvalidArgument (the wrong one)
   */
  useCustomerKey(key: Buffer | undefined): void
  /** The whole content of an object that is small enough to be stored in the index. */
  readonly data: Buffer | undefined
  /**
   * The bytes, or an inclusive range of them, every block checked against its checksum before it leaves; a damaged or
   * missing copy is read from the other drive and healed. A chunk's memory is used again: it is good until the next one
   * is asked for. Who stops early frees everything by leaving its `for await`, or by `return()`.
   */
  read(range?: { start: number; end: number }): AsyncGenerator<Buffer, void, void>
}

export interface DeleteOptions {
  versionId?: string
  bypassGovernance?: GovernanceBypass | undefined
  /** Another store removed the version, or wrote this marker, whose ID is `versionId`. */
  replica?: { marker?: { lastModified: number } } | undefined
  condition?: PutOptions['condition']
}
/** One of several deletions. */
export interface DeleteEntry extends DeleteOptions {
  key: string
}
export interface DeleteResult {
  key: string
  /** The version deleted, or of the marker written; undefined on a bucket that never had versions. */
  versionId?: string
  /** A marker was written, or the version deleted was one. */
  deleteMarker: boolean
}

export interface ListQuery {
  prefix: string
  /** Any text; empty for a flat listing. */
  delimiter: string
  /** Begin behind this key or common prefix. */
  after: string
  /** 0 to 1,000 entries, keys and common prefixes together. */
  limit: number
}
export interface ListPage {
  /** Keys and common prefixes in one order. */
  entries: ({ object: ObjectInfo } | { prefix: string })[]
  truncated: boolean
  /** Hand back as `after` (and `versionMarker`) for the next page. */
  next?: { key: string; versionId?: string }
}

export interface UploadName {
  bucket: string
  key: string
  uploadId: string
}
export interface UploadInfo extends UploadName, ObjectDescription {
  startedAt: number
  checksumAlgorithm?: ChecksumAlgorithm
  checksumType?: 'FULL_OBJECT' | 'COMPOSITE'
  encryption?: ObjectEncryption
}
export interface PartInfo {
  part: number
  size: number
  etag: string
  lastModified: number
  checksum?: Checksum
}
export interface UploadPage {
  entries: ({ upload: UploadInfo } | { prefix: string })[]
  truncated: boolean
  next?: { key: string; uploadId?: string }
}

export interface HealQuery {
  /** Empty: all buckets. */
  bucket: string
  /** Prefix of keys. */
  prefix: string
  /** Whether keys with a slash behind the prefix are included. */
  recursive: boolean
  /** Whether every byte of each copy is read; otherwise a file of the right length is taken for whole. */
  deep: boolean
  /** Only check. */
  dryRun: boolean
  /** Awaited after each item. @param spentMs how long the item took, in ms */
  pause(spentMs: number): Promise<void>
  signal: AbortSignal
}

/** A copy that there should be, and the drive that has or lacks it. */
export interface HealCopy {
  /** ID of the drive. */
  id: string
  path: string
  state: 'ok' | 'offline' | 'missing' | 'corrupt'
}

/** Result of checking or healing an item. */
export interface HealItem {
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
  /** Why it could not be looked at or healed. */
  error?: string
}

export interface WaitingQuery {
  bucket: string
  /** ID of the target. */
  target: string
  state: 'PENDING' | 'FAILED'
  after?: number
  limit: number
}

/** A version to replicate to a target, or to delete there. */
export interface WaitingChange {
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
  /** Why the target refused it; empty while it waits. */
  reason: string
}

export type SettledChange = Pick<WaitingChange, 'entry'> & { status: 'COMPLETED' | 'FAILED'; reason?: string }

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
  /** Whether to read the content of all objects, instead of the index only. */
  blobs: boolean
}

export interface DriveState {
  /** The configured name. */
  path: string
  id: string
  state: 'ok' | 'offline' | 'healing'
  /** Why it is offline. */
  reason?: string
  /** How much of it is healed, 0 to 1. */
  healed?: number
  /** Bytes of the file system, without the part reserved for root. */
  total: number
  free: number
  /** The file system (`st_dev`): drives that share one share its bytes. */
  device: number
  /** Bytes that the store keeps on it. */
  used: number
  /** Keeps one of the two copies of journal and index. */
  keepsIndex: boolean
}

export interface EngineOptions {
  /** The data folder: lock, format version, settings that belong to no drive. */
  data: string
  /** One or more folders. One: a single copy. Two or more: every byte twice. */
  drives: string[]
  /** Below this many free bytes on a drive, writes are refused with XMinioStorageFull. */
  minFree: number
  /** Starts although the key file is lost, and removes the documents that it encrypted. Default: refuses to start. */
  discardEncrypted?: boolean
  log?: { info(o: object, msg: string): void; warn(o: object, msg: string): void; error(o: object, msg: string): void }
  /** ms since 1970; for tests. */
  now?: () => number
  /** A monotonic clock; for tests. Default: `now`, if that is given, otherwise the machine's. */
  steadyNow?: () => number
}
