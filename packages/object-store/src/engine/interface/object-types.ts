import type { RetentionMode } from '../../bucket-settings/object-lock-codec.ts'

/* Objects, versions, uploads and their listings. */

/** An object, or a version of it. */
export interface ObjectVersionName {
  bucket: string
  key: string
  versionId?: string | undefined
}

/** Bytes to copy; without a range the whole object. `range` is inclusive. */
export interface CopySourceRange {
  handle: ObjectHandle
  range?: { start: number; end: number } | undefined
}

/** Metadata that a writer gives with an object. */
export interface ObjectProperties {
  /** Stored standard headers, in lower case: content-type, cache-control, content-encoding, x-amz-storage-class … */
  headers: Record<string, string>
  /** User metadata: names in lower case, without `x-amz-meta-`. */
  metadata: Record<string, string>
  tags: Record<string, string>
}

export interface ObjectInfo extends ObjectProperties {
  bucket: string
  key: string
  /** A UUID, or `null` for a version written without versioning. */
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
  /** Set if its bytes are on a tier. If `restoredUntil` is set, there is a local copy until then (ms since 1970). */
  tier?: { restoredUntil?: number }
  replication?: ReplicationInfo
  /** The parts of an object that was uploaded in parts. */
  parts?: { size: number; checksum?: string }[]
}

/** Replication status of a version. */
export interface ReplicationInfo {
  /** Combined status of all targets. */
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

export interface VersionRetention {
  mode: RetentionMode
  /** ms since 1970. */
  until: number
}

/** Protection of a version against deletion. */
export interface VersionLock {
  retention?: VersionRetention
  legalHold?: 'ON' | 'OFF'
}

/** A request to bypass governance retention, and whether the caller has the right to. */
export type GovernanceBypass = 'allowed' | 'denied'

export type ChecksumAlgorithm = 'CRC32' | 'CRC32C' | 'CRC64NVME' | 'SHA1' | 'SHA256'
export interface Checksum {
  algorithm: ChecksumAlgorithm
  /** Base64; a composite one ends with `-n`. */
  value: string
  type: 'FULL_OBJECT' | 'COMPOSITE'
}

export type ReplicationStatus = 'PENDING' | 'COMPLETED' | 'FAILED'

/** When parts of a version's description were last changed, ms since 1970; absent if not changed since the version was made. */
export interface ReplicationTimes {
  tags?: number
  retention?: number
  legalHold?: number
}

/** Replication data of a version from another store. Its ID and modification time are passed separately. */
export interface ReplicaSource {
  times: ReplicationTimes
  /** Without quotes. Needed because the ETag of an encrypted object cannot be computed from the received bytes. */
  etag?: string | undefined
}

/** What the sender of a replica may change of a version that exists here. Asked inside the commit. */
export interface ReplicaRights {
  /** Whether it may replace the tags of the version by these, also by none. */
  mayTag(versionId: string, tags: Record<string, string>): boolean
  /** Whether it may set this retention, which merges the one in the request with the existing one. */
  mayRetain(versionId: string, retention: VersionRetention): boolean
  /** Whether it has the right to shorten retention in governance mode, and asks for it. */
  bypassesGovernance: boolean
}

export interface PutObjectOptions extends Partial<ObjectProperties> {
  /** Declared length in bytes, if known: checked against quota and free space before the body is read. */
  size?: number
  /** Default: the bucket's default encryption. */
  encryption?: EncryptionRequest | undefined
  /** Default: the default retention of the bucket. */
  lock?: VersionLock | undefined
  /** Checked inside the commit, so that exactly one of two racing writers succeeds. `match: '*'` means "must exist". */
  condition?: { match?: string; noneMatch?: string }
  /** Called at the end of the body, before the object is visible. Throws to refuse it (wrong digest, missing trailer). */
  check?: (received: { size: number; md5: string }) => Checksum | undefined | Promise<Checksum | undefined>
  /** For replication and tests. Default: a new ID. */
  versionId?: string
  lastModified?: number
  replica?: ReplicaSource | undefined
  /** Default: a replica changes neither tags nor retention in force of an existing version. */
  replicaRights?: ReplicaRights | undefined
}

/** Properties of the object after the upload is completed. */
export interface CreateUploadOptions extends Omit<PutObjectOptions, 'size' | 'check' | 'condition' | 'replicaRights'> {
  /** Checksum of the parts, and of the object on completion. */
  checksumAlgorithm?: ChecksumAlgorithm
  checksumType?: Checksum['type']
}

export interface PutPartOptions {
  size?: number
  /** Required if the upload was created with one. */
  customerKey?: Buffer | undefined
  check?: PutObjectOptions['check']
}

export interface CompleteUploadOptions {
  condition?: PutObjectOptions['condition']
  /** Expected checksum of the object, checked if given. */
  checksum?: Checksum
  /** Expected length of the object in bytes, checked if given. */
  size?: number
  /** For a replica, ms since 1970. */
  lastModified?: number | undefined
  /** Those of the caller who completes the upload of a replica. */
  replicaRights?: ReplicaRights | undefined
}
export interface CompletedPart {
  part: number
  etag: string
  /** Base64; undefined if the client does not repeat it. */
  checksum?: string
}

export interface ObjectHandle {
  info: ObjectInfo
  /**
   * Sets the customer's key, before any bytes of an object with SSE-C are read.
   * @throws S3Error InvalidRequest (the key is missing, or the object does not use SSE-C), InvalidArgument (wrong key)
   */
  useCustomerKey(key: Buffer | undefined): void
  /** The whole content of an object that is small enough to be stored in the index. */
  readonly data: Buffer | undefined
  /**
   * Reads the bytes, or an inclusive range of them. Each block is checked against its checksum first; a damaged or missing
   * copy is read from the other drive and healed. A chunk is only valid until the next one is requested, because its memory is
   * reused. To stop early, leave the `for await` loop or call `return()`.
   */
  read(range?: { start: number; end: number }): AsyncGenerator<Buffer, void, void>
}

export interface DeleteObjectOptions {
  versionId?: string
  bypassGovernance?: GovernanceBypass | undefined
  /** Set if another store deleted the version, or wrote this delete marker, whose ID is `versionId`. */
  replica?: { marker?: { lastModified: number } } | undefined
  condition?: PutObjectOptions['condition']
}
/** One of several deletions. */
export interface DeleteObjectEntry extends DeleteObjectOptions {
  key: string
}
export interface DeleteObjectResult {
  key: string
  /** ID of the deleted version or the new delete marker; undefined in a bucket that never had versioning. */
  versionId?: string
  /** Whether a delete marker was written or deleted. */
  deleteMarker: boolean
}

export interface ObjectListQuery {
  prefix: string
  /** Any text; empty for a flat listing. */
  delimiter: string
  /** Start after this key or common prefix. */
  after: string
  /** Maximum number of keys and common prefixes, 0 to 1,000. */
  limit: number
}
export interface ObjectListPage {
  /** Keys and common prefixes, sorted together. */
  entries: ({ object: ObjectInfo } | { prefix: string })[]
  truncated: boolean
  /** Pass this as `after` (and `versionMarker`) to get the next page. */
  next?: { key: string; versionId?: string }
}

export interface UploadName {
  bucket: string
  key: string
  uploadId: string
}
export interface UploadInfo extends UploadName, ObjectProperties {
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
export interface UploadListPage {
  entries: ({ upload: UploadInfo } | { prefix: string })[]
  truncated: boolean
  next?: { key: string; uploadId?: string }
}
