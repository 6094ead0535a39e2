import { pack, unpack } from 'msgpackr'
import type {
  BucketSetting,
  Checksum,
  ChecksumAlgorithm,
  ObjectDescription,
  ObjectInfo,
  PartInfo,
  PutOptions,
  UploadInfo,
} from './types.ts'

/** A range of a blob. */
export interface Segment {
  blob: string
  offset: number
  length: number
}

export type PartSize = NonNullable<ObjectInfo['parts']>[number]

/** Where the bytes of a version are: nowhere (empty), in the index, in blobs named here, in blobs named in an entry apart. */
export type Body =
  | { kind: 'empty' }
  | { kind: 'inline' }
  | { kind: 'segments'; segments: Segment[]; parts: PartSize[] | undefined }
  | { kind: 'listed' }

/** A version of a key, or a delete marker. */
export interface VersionRecord
  extends ObjectDescription,
    Pick<ObjectInfo, 'versionId' | 'size' | 'etag' | 'lastModified'> {
  /** Newer versions have greater ones. Names the entry of the version's bytes as well. */
  id: number
  marker: boolean
  checksum: Checksum | undefined
  body: Body
  /** Only meaningful in the latest one: versions of the key that are no markers, and entries behind the latest. */
  versions: number
  older: number
}

export interface BucketRecord {
  /** What the bucket's keys stand under. */
  number: number
  createdAt: number
  objectLock: boolean
  settings: Partial<Record<BucketSetting, { value: string; updatedAt: number }>>
}

export interface BlobRecord {
  references: number
  size: number
  /** Slots of the drives that keep it. */
  slots: number[]
}

/** `versionId` and `lastModified` when the object is to have given ones. */
export type UploadRecord = Omit<UploadInfo, 'bucket' | 'key' | 'uploadId'> &
  Pick<PutOptions, 'versionId' | 'lastModified'>

export type PartRecord = Omit<PartInfo, 'part'> & { segments: Segment[] }

const BODY = ['empty', 'inline', 'segments', 'listed'] as const
const MARKER = 4

// Arrays, not objects: half the bytes and half the time. Fields are only ever added at the end.
const orNothing = (map: Record<string, string>) => (Object.keys(map).length > 0 ? map : 0)
const orEmpty = (map: unknown) => (map || {}) as Record<string, string>
const flatSegments = (segments: Segment[]) => segments.map(({ blob, offset, length }) => [blob, offset, length])
const flatParts = (parts: PartSize[] | undefined) =>
  parts?.map(({ size, checksum }) => (checksum === undefined ? size : [size, checksum])) ?? 0
const flatChecksum = (checksum: Checksum | undefined) =>
  checksum ? [checksum.algorithm, checksum.value, checksum.type] : 0

type FlatSegment = [string, number, number]
type FlatPart = number | [number, string]
type FlatChecksum = [ChecksumAlgorithm, string, Checksum['type']]

function readSegments(flat: FlatSegment[]): Segment[] {
  return flat.map(([blob, offset, length]) => ({ blob, offset, length }))
}

function readParts(flat: FlatPart[] | 0): PartSize[] | undefined {
  if (flat === 0) return undefined
  return flat.map((part) => (typeof part === 'number' ? { size: part } : { size: part[0], checksum: part[1] }))
}

function readChecksum(flat: FlatChecksum | 0): Checksum | undefined {
  return flat === 0 ? undefined : { algorithm: flat[0], value: flat[1], type: flat[2] }
}

export function encodeVersion(record: VersionRecord): Buffer {
  const { body } = record
  return pack([
    record.id,
    record.versionId === 'null' ? 0 : record.versionId,
    BODY.indexOf(body.kind) + (record.marker ? MARKER : 0),
    record.size,
    record.etag,
    record.lastModified,
    orNothing(record.headers),
    orNothing(record.metadata),
    orNothing(record.tags),
    flatChecksum(record.checksum),
    record.versions,
    record.older,
    ...(body.kind === 'segments' ? [flatSegments(body.segments), flatParts(body.parts)] : []),
  ])
}

export function decodeVersion(value: Buffer): VersionRecord {
  const f = unpack(value) as [number, 0 | string, number, number, string, number, 0 | object, 0 | object, 0 | object] &
    unknown[]
  const kind = BODY[f[2] & (MARKER - 1)] ?? 'empty'
  return {
    id: f[0],
    versionId: f[1] === 0 ? 'null' : f[1],
    marker: (f[2] & MARKER) !== 0,
    size: f[3],
    etag: f[4],
    lastModified: f[5],
    headers: orEmpty(f[6]),
    metadata: orEmpty(f[7]),
    tags: orEmpty(f[8]),
    checksum: readChecksum(f[9] as FlatChecksum | 0),
    versions: f[10] as number,
    older: f[11] as number,
    body:
      kind === 'segments'
        ? { kind, segments: readSegments(f[12] as FlatSegment[]), parts: readParts(f[13] as FlatPart[] | 0) }
        : { kind },
  }
}

/** Segments and parts of an object that has too many for its record. */
export function encodeList(list: { segments: Segment[]; parts: PartSize[] | undefined }): Buffer {
  return pack([flatSegments(list.segments), flatParts(list.parts)])
}

export function decodeList(value: Buffer): { segments: Segment[]; parts: PartSize[] | undefined } {
  const [segments, parts] = unpack(value) as [FlatSegment[], FlatPart[] | 0]
  return { segments: readSegments(segments), parts: readParts(parts) }
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

/** Records that are few: as they are. */
export const encodeBucket = (record: BucketRecord): Buffer => pack(record)
export const decodeBucket = (value: Buffer): BucketRecord => unpack(value) as BucketRecord
export const encodeUpload = (record: UploadRecord): Buffer => pack(record)
export const decodeUpload = (value: Buffer): UploadRecord => unpack(value) as UploadRecord
