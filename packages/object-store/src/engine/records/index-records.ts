import { pack, unpack } from 'msgpackr'
import type { RetentionMode } from '../../bucket-settings/object-lock-codec.ts'
import type {
  Checksum,
  ChecksumAlgorithm,
  ObjectEncryption,
  ObjectInfo,
  ObjectProperties,
  PartInfo,
  PutObjectOptions,
  ReplicationStatus,
  ReplicationTimes,
  UploadInfo,
  VersionLock,
} from '../interface/types.ts'

/**
 * A range of a blob. In a compressed blob, `offset` and `length` count uncompressed bytes. In an encrypted blob, a segment is
 * always the whole blob, and `length` counts the stored bytes.
 */
export interface BlobSegment {
  blob: string
  offset: number
  length: number
  /** Bytes of the whole blob before it was compressed; undefined if it is not compressed. */
  plain?: number
}

export type PartSize = NonNullable<ObjectInfo['parts']>[number]

/** Location of a version's bytes: none (empty), in the index, in blobs listed here, in blobs listed in a separate entry. */
export type StoredBody =
  | { kind: 'empty' }
  | { kind: 'inline' }
  | { kind: 'segments'; segments: BlobSegment[]; parts: PartSize[] | undefined }
  | { kind: 'listed' }

/** Encryption of an object, with its key wrapped by the key of the mode. */
export interface EncryptionRecord extends ObjectEncryption {
  wrapped: Uint8Array
}

/** The replication status of a version. */
export interface ReplicationRecord {
  /** Whether it comes from another store. */
  replica: boolean
  /** When tags, retention and legal hold were last changed, ms since 1970; absent if not changed since the version was made. */
  times: ReplicationTimes
  /** By target ID. `entry` is the number of the waiting or refused change. */
  targets: Record<string, { status: ReplicationStatus; entry: number }>
}

/** A version of a key, or a delete marker. */
export interface VersionRecord
  extends ObjectProperties,
    Pick<ObjectInfo, 'versionId' | 'size' | 'etag' | 'lastModified'> {
  /** Greater for newer versions. Also part of the key of the entry with the bytes of the version. */
  id: number
  marker: boolean
  checksum: Checksum | undefined
  lock: VersionLock | undefined
  encryption: EncryptionRecord | undefined
  /** Location of its bytes if they are on a tier. */
  tier?: { object: string /** End of the local copy (ms since 1970). */; restoredUntil?: number } | undefined
  /** Undefined for a version that is neither replicated nor a replica. */
  replication: ReplicationRecord | undefined
  /** Replaces `id` in the order of the versions of a key, for a replica that is older than existing versions. */
  order: number | undefined
  body: StoredBody
  /** Only meaningful in the latest version: number of versions that are not markers, and of older entries of the key. */
  versions: number
  older: number
}

/** An object on a tier: the bytes of one version, as they were stored here. */
export interface TierObjectRecord {
  tier: string
  /** Bytes on the tier. */
  size: number
  /** Stored in the index. */
  inline: boolean
  /** The blobs that contained them, in order: decryption needs the names of the blobs. */
  segments: BlobSegment[]
}

export interface BucketRecord {
  /** Number that the bucket's keys start with. */
  number: number
  createdAt: number
  objectLock: boolean
  /** The document of each setting; see `bucket-settings`. */
  settings: Record<string, { value: string; updatedAt: number }>
}

export interface BlobRecord {
  references: number
  size: number
  /** Slots of the drives that store it. */
  slots: number[]
}

/** `versionId` and `lastModified` are set if the caller has chosen them for the object. */
export type UploadRecord = Omit<UploadInfo, 'bucket' | 'key' | 'uploadId' | 'encryption'> &
  Pick<PutObjectOptions, 'versionId' | 'lastModified' | 'lock' | 'replica'> & { encryption?: EncryptionRecord }

export type PartRecord = Omit<PartInfo, 'part'> & { segments: BlobSegment[] }

const BODY_KINDS = ['empty', 'inline', 'segments', 'listed'] as const
const MARKER_FLAG = 4

// Arrays, not objects: half the bytes and half the time. New fields may only be added at the end.
const emptyMapAsZero = (map: Record<string, string>) => (Object.keys(map).length > 0 ? map : 0)
const zeroAsEmptyMap = (map: unknown) => (map || {}) as Record<string, string>
const flatSegments = (segments: BlobSegment[]) =>
  segments.map(
    ({ blob, offset, length, plain }): FlatSegment =>
      plain === undefined ? [blob, offset, length] : [blob, offset, length, plain],
  )
const flatParts = (parts: PartSize[] | undefined) =>
  parts?.map(({ size, checksum }) => (checksum === undefined ? size : [size, checksum])) ?? 0
const flatChecksum = (checksum: Checksum | undefined) =>
  checksum ? [checksum.algorithm, checksum.value, checksum.type] : 0

type FlatSegment = [string, number, number, number?]
type FlatPart = number | [number, string]
type FlatChecksum = [ChecksumAlgorithm, string, Checksum['type']]

function readSegments(flat: FlatSegment[]): BlobSegment[] {
  return flat.map(([blob, offset, length, plain]) => ({ blob, offset, length, ...(plain !== undefined && { plain }) }))
}

function readParts(flat: FlatPart[] | 0): PartSize[] | undefined {
  if (flat === 0) return undefined
  return flat.map((part) => (typeof part === 'number' ? { size: part } : { size: part[0], checksum: part[1] }))
}

function readChecksum(flat: FlatChecksum | 0): Checksum | undefined {
  return flat === 0 ? undefined : { algorithm: flat[0], value: flat[1], type: flat[2] }
}

type FlatLock = [mode: 0 | RetentionMode, until: number, legalHold: 0 | 'ON' | 'OFF']

function flatLock({ retention, legalHold }: VersionLock): FlatLock {
  return [retention?.mode ?? 0, retention?.until ?? 0, legalHold ?? 0]
}

function readLock(flat: FlatLock | 0 | undefined): VersionLock | undefined {
  if (!flat) return undefined
  const [mode, until, legalHold] = flat
  return { ...(mode !== 0 && { retention: { mode, until } }), ...(legalHold !== 0 && { legalHold }) }
}

type FlatEncryption = 0 | [mode: ObjectEncryption['mode'], keyId: 0 | string, wrapped: Buffer]

function readEncryption(flat: FlatEncryption | undefined): EncryptionRecord | undefined {
  if (!flat) return undefined
  const [mode, keyId, wrapped] = flat
  return { mode, ...(keyId !== 0 && { keyId }), wrapped }
}

type FlatTier = [object: string, restoredUntil: number]

const flatTier = ({ object, restoredUntil = 0 }: NonNullable<VersionRecord['tier']>): FlatTier => [
  object,
  restoredUntil,
]

function readTier(flat: FlatTier | 0 | undefined): VersionRecord['tier'] {
  if (!flat) return undefined
  const [object, restoredUntil] = flat
  return { object, ...(restoredUntil !== 0 && { restoredUntil }) }
}

/** Returns the fields that most versions do not have, without unset fields at the end. */
function optionalFields({ body, lock, encryption, replication, order, tier }: VersionRecord): unknown[] {
  const fields: unknown[] = [
    ...(body.kind === 'segments' ? [flatSegments(body.segments), flatParts(body.parts)] : [0, 0]),
    lock ? flatLock(lock) : 0,
    encryption ? [encryption.mode, encryption.keyId ?? 0, encryption.wrapped] : 0,
    replication ? flatReplication(replication) : 0,
    order ?? 0,
    tier ? flatTier(tier) : 0,
  ]
  while (fields.length > 0 && fields.at(-1) === 0) fields.pop()
  // Segments and parts are written together.
  if (fields.length === 1) fields.push(0)
  return fields
}

type FlatReplication = [
  replica: 0 | 1,
  times: ReplicationTimes | 0,
  targets: [id: string, status: ReplicationStatus, entry: number][],
]

function flatReplication({ replica, times, targets }: ReplicationRecord): FlatReplication {
  const flat = Object.entries(targets).map(([id, { status, entry }]): FlatReplication[2][0] => [id, status, entry])
  return [replica ? 1 : 0, Object.keys(times).length > 0 ? times : 0, flat]
}

function readReplication(flat: FlatReplication | 0 | undefined): ReplicationRecord | undefined {
  if (!flat) return undefined
  const [replica, times, targets] = flat
  return {
    replica: replica === 1,
    times: times || {},
    targets: Object.fromEntries(targets.map(([id, status, entry]) => [id, { status, entry }])),
  }
}

export function encodeVersion(record: VersionRecord): Buffer {
  const { body } = record
  return pack([
    record.id,
    record.versionId === 'null' ? 0 : record.versionId,
    BODY_KINDS.indexOf(body.kind) + (record.marker ? MARKER_FLAG : 0),
    record.size,
    record.etag,
    record.lastModified,
    emptyMapAsZero(record.headers),
    emptyMapAsZero(record.metadata),
    emptyMapAsZero(record.tags),
    flatChecksum(record.checksum),
    record.versions,
    record.older,
    ...optionalFields(record),
  ])
}

export function decodeVersion(value: Buffer): VersionRecord {
  const f = unpack(value) as [number, 0 | string, number, number, string, number, 0 | object, 0 | object, 0 | object] &
    unknown[]
  const kind = BODY_KINDS[f[2] & (MARKER_FLAG - 1)] ?? 'empty'
  return {
    id: f[0],
    versionId: f[1] === 0 ? 'null' : f[1],
    marker: (f[2] & MARKER_FLAG) !== 0,
    size: f[3],
    etag: f[4],
    lastModified: f[5],
    headers: zeroAsEmptyMap(f[6]),
    metadata: zeroAsEmptyMap(f[7]),
    tags: zeroAsEmptyMap(f[8]),
    checksum: readChecksum(f[9] as FlatChecksum | 0),
    lock: readLock(f[14] as FlatLock | 0 | undefined),
    encryption: readEncryption(f[15] as FlatEncryption | undefined),
    replication: readReplication(f[16] as FlatReplication | 0 | undefined),
    order: (f[17] as number | undefined) || undefined,
    tier: readTier(f[18] as FlatTier | 0 | undefined),
    versions: f[10] as number,
    older: f[11] as number,
    body:
      kind === 'segments'
        ? { kind, segments: readSegments(f[12] as FlatSegment[]), parts: readParts(f[13] as FlatPart[] | 0) }
        : { kind },
  }
}

/** Encodes segments and parts of an object that has too many for its record. */
export function encodeSegmentList(list: { segments: BlobSegment[]; parts: PartSize[] | undefined }): Buffer {
  return pack([flatSegments(list.segments), flatParts(list.parts)])
}

export function decodeSegmentList(value: Buffer): { segments: BlobSegment[]; parts: PartSize[] | undefined } {
  const [segments, parts] = unpack(value) as [FlatSegment[], FlatPart[] | 0]
  return { segments: readSegments(segments), parts: readParts(parts) }
}

export function encodeTierObject({ tier, size, inline, segments }: TierObjectRecord): Buffer {
  return pack([tier, size, inline, flatSegments(segments)])
}

export function decodeTierObject(value: Buffer): TierObjectRecord {
  const [tier, size, inline, segments] = unpack(value) as [string, number, boolean, FlatSegment[]]
  return { tier, size, inline, segments: readSegments(segments) }
}

export function encodeBlob(record: BlobRecord): Buffer {
  return pack([record.references, record.size, record.slots])
}

export function decodeBlob(value: Buffer): BlobRecord {
  const [references, size, slots] = unpack(value) as [number, number, number[]]
  return { references, size, slots }
}

export function encodePart(record: PartRecord): Buffer {
  const { size, etag, lastModified, checksum, segments } = record
  return pack([size, etag, lastModified, flatChecksum(checksum), flatSegments(segments)])
}

export function decodePart(value: Buffer): PartRecord {
  const [size, etag, lastModified, sum, segments] = unpack(value) as [
    number,
    string,
    number,
    FlatChecksum | 0,
    FlatSegment[],
  ]
  const checksum = readChecksum(sum)
  return { size, etag, lastModified, ...(checksum && { checksum }), segments: readSegments(segments) }
}

/** Encodes a bucket uncompressed, because there are few. */
export const encodeBucket = (record: BucketRecord): Buffer => pack(record)
export const decodeBucket = (value: Buffer): BucketRecord => unpack(value) as BucketRecord
export const encodeUpload = (record: UploadRecord): Buffer => pack(record)
export const decodeUpload = (value: Buffer): UploadRecord => unpack(value) as UploadRecord
