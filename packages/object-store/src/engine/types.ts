import type { Readable } from 'node:stream'
import type { Change } from '../journal/change.ts'

export type { Change }

/**
 * The engine: buckets, objects, versions and uploads on drives, and nothing of HTTP or XML. `http` knows this file and
 * no other of the engine. Every method that changes state resolves when the change is durable on two drives (on one, if
 * there is only one) and visible to every reader. Failures are `S3Error`s.
 */
export interface Engine {
  readonly deploymentId: string
  /** When this process opened the data (ms since 1970). */
  readonly startedAt: number

  // --- buckets -----------------------------------------------------------------------------------------------------
  /** In the order of their names' bytes. Answered from memory. */
  listBuckets(): BucketInfo[]
  /** @throws S3Error NoSuchBucket */
  getBucket(name: string): BucketInfo
  /** @throws S3Error BucketAlreadyOwnedByYou, XMinioStorageFull */
  createBucket(name: string, options?: { objectLock?: boolean }): Promise<BucketInfo>
  /** `force` drops what is in it as well. @throws S3Error NoSuchBucket, BucketNotEmpty */
  deleteBucket(name: string, options?: { force?: boolean }): Promise<void>
  /** The stored text of a bucket's setting, exactly as it was put; undefined when unset. @throws S3Error NoSuchBucket */
  getBucketSetting(name: string, setting: BucketSetting): { value: string; updatedAt: number } | undefined
  /** `undefined` removes it. `versioning` and `quota` are read by the engine itself; see `BucketSetting`. */
  setBucketSetting(name: string, setting: BucketSetting, value: string | undefined): Promise<void>
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
  /** Never fails for an absent key. On a versioned bucket without a version ID it writes a delete marker. */
  deleteObject(bucket: string, key: string, options?: DeleteOptions): Promise<DeleteResult>
  /** One transaction for up to 1,000 keys; one result per entry, in order. */
  deleteObjects(bucket: string, entries: DeleteEntry[]): Promise<(DeleteResult | Error)[]>
  /** Links the source's segments under a new key; copies no bytes. Metadata and tags as given in `options`. */
  copyObject(source: ObjectHandle, bucket: string, key: string, options: Omit<PutOptions, 'size'>): Promise<ObjectInfo>
  /** Replaces the tags; an empty object removes them. Creates no version. */
  setObjectTags(
    bucket: string,
    key: string,
    versionId: string | undefined,
    tags: Record<string, string>,
  ): Promise<ObjectInfo>

  // --- listings: one range scan, whose cost does not grow with the bucket --------------------------------------------
  /** Latest versions that are no delete markers, in UTF-8 byte order. */
  listObjects(bucket: string, query: ListQuery): ListPage
  /** All versions and delete markers: by key, newest first. */
  listVersions(bucket: string, query: ListQuery & { versionMarker?: string }): ListPage

  // --- multipart ---------------------------------------------------------------------------------------------------
  createUpload(bucket: string, key: string, options: UploadOptions): Promise<UploadInfo>
  /** @throws S3Error NoSuchUpload */
  getUpload(bucket: string, key: string, uploadId: string): UploadInfo
  /** A part put again replaces the one before. */
  putPart(
    bucket: string,
    key: string,
    uploadId: string,
    part: number,
    body: Readable,
    options: PartOptions,
  ): Promise<PartInfo>
  /** Links a range of an object as a part; `range` is inclusive. */
  copyPart(
    source: ObjectHandle,
    range: { start: number; end: number } | undefined,
    bucket: string,
    key: string,
    uploadId: string,
    part: number,
  ): Promise<PartInfo>
  /**
   * Links the parts; copies no bytes. The ETag is the MD5 of the parts' MD5s with `-n`.
   * @throws S3Error NoSuchUpload, InvalidPart, InvalidPartOrder, EntityTooSmall (a part but the last under 5 MiB)
   */
  completeUpload(
    bucket: string,
    key: string,
    uploadId: string,
    parts: CompletePart[],
    options: CompleteOptions,
  ): Promise<ObjectInfo>
  abortUpload(bucket: string, key: string, uploadId: string): Promise<void>
  listParts(
    bucket: string,
    key: string,
    uploadId: string,
    after: number,
    limit: number,
  ): { parts: PartInfo[]; truncated: boolean }
  listUploads(bucket: string, query: ListQuery & { uploadMarker?: string }): UploadPage

  // --- documents: small named texts of other parts of the store (users, policies, sessions) ---------------------------
  // Encrypted at rest, except their names. Everything secret is kept in documents and nowhere else.
  getDocument(collection: string, name: string): string | undefined
  listDocuments(collection: string): { name: string; value: string }[]
  /** All or none, in one transaction; `undefined` removes. */
  putDocuments(changes: { collection: string; name: string; value: string | undefined }[]): Promise<void>

  // --- the feed: everything acknowledged, in order -------------------------------------------------------------------
  /** Calls back after each durable change, in order, from `after` on (default: now). Returns the function that ends it. */
  subscribe(listener: (change: Change) => void, after?: number): () => void

  // --- state of the machine -----------------------------------------------------------------------------------------
  drives(): DriveState[]
  /**
   * Reads every copy of everything now and heals what is damaged; the background check does the same slowly. Resolves with
   * what was looked at and found, while the healing may still be going on.
   */
  check(signal?: AbortSignal): Promise<{ blobs: number; damagedCopies: number }>
  close(): Promise<void>
}

/** `versioning`: `Enabled` or `Suspended`. `quota`: JSON `{"size": bytes}`; a write that would pass it is refused. Others are kept as text. */
export type BucketSetting =
  | 'policy'
  | 'tagging'
  | 'versioning'
  | 'quota'
  | 'object-lock'
  | 'lifecycle'
  | 'notification'
  | 'replication'
  | 'encryption'
  | 'cors'

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
  /** All versions, delete markers not counted. */
  versions: number
  deleteMarkers: number
  /** Bytes of all versions. */
  size: number
  /** The server family's ranges, such as `LESS_THAN_1024_B`, without the legacy sum range. */
  sizeHistogram: Record<string, number>
  /** `UNVERSIONED`, `SINGLE_VERSION`, `BETWEEN_2_AND_10` …, objects per number of versions. */
  versionsHistogram: Record<string, number>
}

/** What is told about an object when it is written. */
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
  /** Sizes of the parts of an object that came in parts. */
  parts?: { size: number; checksum?: string }[]
}

export type ChecksumAlgorithm = 'CRC32' | 'CRC32C' | 'CRC64NVME' | 'SHA1' | 'SHA256'
export interface Checksum {
  algorithm: ChecksumAlgorithm
  /** Base64; a composite one ends with `-n`. */
  value: string
  type: 'FULL_OBJECT' | 'COMPOSITE'
}

export interface PutOptions extends Partial<ObjectDescription> {
  /** Declared length in bytes, if the client told it: checked against quota and free space before the body is read. */
  size?: number
  /** Decided inside the commit, so that of two racing writers exactly one wins. `match: '*'` means "must exist". */
  condition?: { match?: string; noneMatch?: string }
  /** Called when the body has ended and before anything is visible; throws to refuse (digest wrong, trailer missing). */
  check?: (received: { size: number; md5: string }) => Checksum | undefined | Promise<Checksum | undefined>
  /** For replication and tests; otherwise fresh. */
  versionId?: string
  lastModified?: number
}

/** What the object will have when the upload is completed. */
export interface UploadOptions extends Omit<PutOptions, 'size' | 'check' | 'condition'> {
  /** How the parts are checked, and the whole when it is completed. */
  checksumAlgorithm?: ChecksumAlgorithm
  checksumType?: Checksum['type']
}

export interface PartOptions {
  size?: number
  check?: PutOptions['check']
}

export interface CompleteOptions {
  condition?: PutOptions['condition']
  /** Expected checksum of the whole, checked if given. */
  checksum?: Checksum
  /** Expected length of the whole in bytes, checked if given. */
  size?: number
}
export interface CompletePart {
  part: number
  etag: string
  /** Base64, if the client repeats it. */
  checksum?: string
}

export interface ObjectHandle {
  info: ObjectInfo
  /** The whole content, of an object so small that it stands in the index. */
  data: Buffer | undefined
  /**
   * The bytes, or an inclusive range of them, every block checked against its checksum before it leaves; a damaged or
   * missing copy is read from the other drive and healed. A chunk's memory is used again: it is good until the next one
   * is asked for. Who stops early frees everything by leaving its `for await`, or by `return()`.
   */
  read(range?: { start: number; end: number }): AsyncGenerator<Buffer, void, void>
}

export interface DeleteOptions {
  versionId?: string
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

export interface UploadInfo extends ObjectDescription {
  bucket: string
  key: string
  uploadId: string
  startedAt: number
  checksumAlgorithm?: ChecksumAlgorithm
  checksumType?: 'FULL_OBJECT' | 'COMPOSITE'
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

export interface DriveState {
  /** As configured. */
  path: string
  id: string
  state: 'ok' | 'offline' | 'healing'
  /** Why it is offline. */
  reason?: string
  /** Bytes of the file system, what is kept for the system's own user taken off. */
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
  /** One or more folders. One: plain, a single copy. Two or more: every byte twice. */
  drives: string[]
  /** Below this many free bytes on a drive, writes are refused with XMinioStorageFull. */
  minFree: number
  /** Starts although the key file is lost, and removes the documents that it encrypted. Default: refuses to start. */
  discardEncrypted?: boolean
  log?: { info(o: object, msg: string): void; warn(o: object, msg: string): void; error(o: object, msg: string): void }
  /** ms since 1970; for tests. */
  now?: () => number
}
