import { DamagedBlob } from '../../blobs/blob-reader.ts'
import type { BlobPiece } from '../../blobs/blob-store.ts'
import { readCompressed } from '../../blobs/compressed-body.ts'
import { S3Error } from '../../lib/errors.ts'
import type { EngineCore } from '../core/engine-core.ts'
import {
  decryptInline,
  decryptSegments,
  type ObjectEncryptionKey,
  unwrapObjectKey,
} from '../encryption/object-encryption.ts'
import type { ObjectHandle } from '../interface/types.ts'
import { deleteMarkerError, keyBytes, noSuchKey, noSuchVersion } from '../records/engine-errors.ts'
import { indexKeys } from '../records/index-keys.ts'
import { type BlobSegment, decodeBlob, decodeVersion, type VersionRecord } from '../records/index-records.ts'
import { isOnTierOnly } from '../versions/tier-objects.ts'
import { readLatest, readVersion, readVersionBody } from '../versions/version-chain.ts'
import { describeVersion } from './enter-version.ts'
import { readFromTier } from './read-from-tier.ts'

/** The handle of an object, with the data that the engine needs to link its bytes to another object. */
export interface InternalObjectHandle extends ObjectHandle {
  readonly bucketNumber: number
  readonly record: VersionRecord
  readonly segments: BlobSegment[]
  /** As stored, possibly encrypted. */
  readonly storedData: Buffer | undefined
  /** Undefined for an unencrypted object. @throws S3Error if the customer's key is needed and was not given */
  objectKey(): ObjectEncryptionKey | undefined
}

export function isInternalHandle(handle: ObjectHandle): handle is InternalObjectHandle {
  return 'record' in handle && 'bucketNumber' in handle
}

/** @throws S3Error NoSuchBucket, NoSuchKey, NoSuchVersion, MethodNotAllowed */
export function getObject(core: EngineCore, bucket: string, key: string, versionId?: string): InternalObjectHandle {
  const { number } = core.buckets.require(bucket)
  const bytes = keyBytes(key)
  const latest = readLatest(core.index, number, bytes) ?? readLatestFromAllCopies(core, number, bytes)
  const wanted = versionId === undefined ? latest : readVersion(core.index, number, bytes, versionId)
  if (!wanted) throw versionId === undefined ? noSuchKey(key) : noSuchVersion(key, versionId)
  if (wanted.marker) throw deleteMarkerError(key, wanted, versionId)
  const { segments, parts } = readVersionBody(core.index, number, wanted)
  const info = describeVersion(bucket, key, wanted, wanted.id === latest?.id, parts)
  return new StoredObjectHandle(core, { info, bucketNumber: number, record: wanted, segments })
}

/** An object that was looked up. */
class StoredObjectHandle implements InternalObjectHandle {
  readonly info: InternalObjectHandle['info']
  readonly bucketNumber: number
  readonly record: VersionRecord
  readonly segments: BlobSegment[]
  /** Stored bytes of an object in the index, read immediately because the object may be replaced. */
  readonly #stored: Buffer | undefined
  #customerKey: Buffer | undefined
  #key: ObjectEncryptionKey | undefined

  constructor(
    private readonly core: EngineCore,
    found: Pick<InternalObjectHandle, 'info' | 'bucketNumber' | 'record' | 'segments'>,
  ) {
    this.info = found.info
    this.bucketNumber = found.bucketNumber
    this.record = found.record
    this.segments = found.segments
    const { id, body } = this.record
    this.#stored = body.kind === 'inline' ? core.index.require(indexKeys.inlineData(this.bucketNumber, id)) : undefined
  }

  get storedData(): Buffer | undefined {
    return this.#stored
  }

  get data(): Buffer | undefined {
    const key = this.objectKey()
    return key && this.#stored ? decryptInline(key, this.#stored) : this.#stored
  }

  useCustomerKey(key: Buffer | undefined): void {
    const isCustomers = this.record.encryption?.mode === 'SSE-C'
    if (key && !isCustomers) {
      throw new S3Error('InvalidRequest', 'The encryption parameters are not applicable to this object.')
    }
    this.#customerKey = key
    if (isCustomers) this.objectKey()
  }

  objectKey(): ObjectEncryptionKey | undefined {
    const { encryption } = this.record
    if (encryption) this.#key ??= unwrapObjectKey(this.core, encryption, this.info, this.#customerKey)
    return this.#key
  }

  read(range?: { start: number; end: number }): AsyncGenerator<Buffer, void, void> {
    const { core, segments } = this
    const { size } = this.record
    const start = range?.start ?? 0
    const end = Math.min((range?.end ?? size - 1) + 1, size)
    if (isOnTierOnly(this.record)) return readFromTier(core, this.record, this.objectKey(), { start, end })
    if (this.#stored) return singleChunk(() => this.data?.subarray(start, end))
    const key = this.objectKey()
    if (!key) return readBlobs(core, segments, start, end)
    return readEncrypted(core, key, segments, { start, end })
  }
}

/** Reads the latest version of a key. Checks all copies of the index before it reports the key as absent. */
function readLatestFromAllCopies(core: EngineCore, bucket: number, key: Buffer): VersionRecord | undefined {
  const value =
    core.index.getFromAllCopies(indexKeys.latestObject(bucket, key)) ??
    core.index.getFromAllCopies(indexKeys.latestMarker(bucket, key))
  return value && decodeVersion(value)
}

function readBlobs(
  core: EngineCore,
  segments: BlobSegment[],
  start: number,
  end: number,
): AsyncGenerator<Buffer, void, void> {
  const found = blobPieces(core, segments, start, end)
  const blobs = segments.map(({ blob }) => blob)
  if (found.every(({ plain }) => plain === undefined)) return core.blobs.read(found, blobs)
  return holdingBlobs(core, blobs, readPieces(core, found, blobs))
}

/** Reads blobs, some of which are compressed. */
async function* readPieces(
  core: EngineCore,
  found: readonly SegmentPiece[],
  blobs: string[],
): AsyncGenerator<Buffer, void, void> {
  for (const piece of found) {
    const { blob, location, offset, length, plain } = piece
    if (plain === undefined) {
      yield* core.blobs.read([piece], blobs)
      continue
    }
    const range = { start: offset, end: offset + length, plain, size: location.size }
    yield* readCompressed(range, (from, to) =>
      core.blobs.read([{ blob, location, offset: from, length: to - from }], blobs),
    )
  }
}

/** Like `readBlobs`, looks up and holds the blobs immediately, because the object may be deleted while it is read. */
function readEncrypted(
  core: EngineCore,
  key: ObjectEncryptionKey,
  segments: BlobSegment[],
  range: { start: number; end: number },
): AsyncGenerator<Buffer, void, void> {
  const blobs = segments.map(({ blob }) => blob)
  const places = new Map(blobs.map((blob) => [blob, decodeBlob(core.index.require(indexKeys.blob(blob)))]))
  const read = ({ blob, offset }: BlobSegment, from: number, to: number) => {
    const place = places.get(blob)
    if (!place) throw new TypeError('the segment is not of this object')
    return core.blobs.read([{ blob, location: place, offset: offset + from, length: to - from }], blobs)
  }
  return holdingBlobs(core, blobs, decryptSegments(key, segments, range, read))
}

async function* holdingBlobs(
  core: EngineCore,
  blobs: string[],
  chunks: AsyncGenerator<Buffer, void, void>,
): AsyncGenerator<Buffer, void, void> {
  const release = core.blobs.hold(blobs)
  try {
    yield* chunks
  } finally {
    release()
  }
}

async function* singleChunk(open: () => Buffer | undefined): AsyncGenerator<Buffer, void, void> {
  const data = open()
  if (data && data.length > 0) yield data
}

/** Returns the bytes of a version, decompressed but still encrypted. Encrypted bytes may be compressed inside. */
export function readStoredBytes(
  core: EngineCore,
  bucket: number,
  { id, body, encryption }: VersionRecord,
  segments: BlobSegment[],
): { size: number; read: () => AsyncGenerator<Buffer, void, void> } {
  if (body.kind === 'inline') {
    const data = core.index.require(indexKeys.inlineData(bucket, id))
    return { size: data.length, read: () => singleChunk(() => data) }
  }
  const size = segments.reduce((sum, { length }) => sum + length, 0)
  const stored = encryption ? segments.map(({ blob, offset, length }) => ({ blob, offset, length })) : segments
  return { size, read: () => readBlobs(core, stored, 0, size) }
}

/**
 * Reads all stored bytes of an object, so that each block is checked against its checksum, and healed from its other copy.
 * @throws S3Error InternalError if no copy of a block is intact, NoSuchKey
 */
export async function verifyStoredBytes(core: EngineCore, { info, segments }: InternalObjectHandle): Promise<void> {
  const blobs = [...new Set(segments.map(({ blob }) => blob))]
  const pieces = segments.map(({ blob, offset, length, plain }) => {
    const entry = core.index.get(indexKeys.blob(blob))
    // The object was deleted after it was looked up.
    if (!entry) throw noSuchKey(info.key)
    const location = decodeBlob(entry)
    // The offset and length of a compressed segment are those of its content.
    const stored = plain === undefined ? { offset, length } : { offset: 0, length: location.size }
    return { blob, location, ...stored }
  })
  try {
    for await (const _ of core.blobs.read(pieces, blobs));
  } catch (error) {
    if (!(error instanceof DamagedBlob)) throw error
    const name = `${info.bucket}/${info.key}`
    throw new S3Error('InternalError', `The object ${name} is damaged: no intact copy of its data could be read.`, {
      cause: error,
    })
  }
}

type SegmentPiece = BlobPiece & { plain: number | undefined }

/** Returns the pieces of blobs that make up `[start, end)` of an object. */
function blobPieces(core: EngineCore, segments: BlobSegment[], start: number, end: number): SegmentPiece[] {
  const found: SegmentPiece[] = []
  let at = 0
  for (const { blob, offset, length, plain } of segments) {
    const from = Math.max(start - at, 0)
    const to = Math.min(end - at, length)
    at += length
    if (from >= to) continue
    const place = decodeBlob(core.index.require(indexKeys.blob(blob)))
    found.push({ blob, location: place, offset: offset + from, length: to - from, plain })
  }
  return found
}
