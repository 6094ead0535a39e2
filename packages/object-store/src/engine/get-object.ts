import type { Piece } from '../blobs/store.ts'
import { S3Error } from '../errors.ts'
import type { Core } from './core.ts'
import { describeVersion } from './enter-version.ts'
import { keyBytes, noSuchKey, noSuchVersion } from './failures.ts'
import { keys } from './keys.ts'
import { decodeBlob, decodeVersion, type Segment, type VersionRecord } from './records.ts'
import type { ObjectHandle } from './types.ts'
import { readBody, readLatest, readVersion } from './versions.ts'

/** An object's handle, with what the engine needs to link its bytes elsewhere. */
export interface InternalHandle extends ObjectHandle {
  readonly bucketNumber: number
  readonly record: VersionRecord
  readonly segments: Segment[]
}

export function isInternal(handle: ObjectHandle): handle is InternalHandle {
  return 'record' in handle && 'bucketNumber' in handle
}

/** @throws S3Error NoSuchBucket, NoSuchKey, NoSuchVersion, MethodNotAllowed */
export function getObject(core: Core, bucket: string, key: string, versionId?: string): InternalHandle {
  const { number } = core.buckets.require(bucket)
  const bytes = keyBytes(key)
  const latest = readLatest(core.index, number, bytes) ?? surelyLatest(core, number, bytes)
  const wanted = versionId === undefined ? latest : readVersion(core.index, number, bytes, versionId)
  if (!wanted) throw versionId === undefined ? noSuchKey(key) : noSuchVersion(key, versionId)
  if (wanted.marker) throw markerError(key, wanted, versionId)
  const { segments, parts } = readBody(core.index, number, wanted)
  const info = describeVersion(bucket, key, wanted, wanted.id === latest?.id, parts)
  const data = wanted.body.kind === 'inline' ? core.index.require(keys.data(number, wanted.id)) : undefined
  const read: ObjectHandle['read'] = (range) => {
    const start = range?.start ?? 0
    const end = Math.min((range?.end ?? wanted.size - 1) + 1, wanted.size)
    return data ? once(data.subarray(start, end)) : readBlobs(core, segments, start, end)
  }
  return { info, bucketNumber: number, record: wanted, segments, data, read }
}

/** A key that seems absent is looked for in every copy of the index. */
function surelyLatest(core: Core, bucket: number, key: Buffer): VersionRecord | undefined {
  const value = core.index.getSurely(keys.latest(bucket, key)) ?? core.index.getSurely(keys.marker(bucket, key))
  return value && decodeVersion(value)
}

/** What a request for a delete marker's bytes is told. */
export function markerError(key: string, marker: VersionRecord, versionId: string | undefined): S3Error {
  const detail = { Key: key, VersionId: marker.versionId, DeleteMarker: 'true' }
  if (versionId === undefined) return new S3Error('NoSuchKey', 'The specified key does not exist.', { detail })
  return new S3Error('MethodNotAllowed', 'The specified method is not allowed against this resource.', { detail })
}

function readBlobs(core: Core, segments: Segment[], start: number, end: number): AsyncGenerator<Buffer, void, void> {
  return core.blobs.read(
    pieces(core, segments, start, end),
    segments.map(({ blob }) => blob),
  )
}

async function* once(data: Buffer): AsyncGenerator<Buffer, void, void> {
  if (data.length > 0) yield data
}

/** The pieces of blobs that make up `[start, end)` of an object. */
function pieces(core: Core, segments: Segment[], start: number, end: number): Piece[] {
  const found: Piece[] = []
  let at = 0
  for (const { blob, offset, length } of segments) {
    const from = Math.max(start - at, 0)
    const to = Math.min(end - at, length)
    at += length
    if (from >= to) continue
    const place = decodeBlob(core.index.require(keys.blob(blob)))
    found.push({ blob, place, offset: offset + from, length: to - from })
  }
  return found
}
