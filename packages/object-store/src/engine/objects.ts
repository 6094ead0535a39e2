import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { S3Error } from '../errors.ts'
import { linkSegments } from './blob-references.ts'
import { INLINE_BYTES, receive } from './body.ts'
import { quotaOf, versioningOf } from './bucket-table.ts'
import type { Core } from './core.ts'
import { keyBytes, noSuchBucket, noSuchKey, noSuchVersion, preconditionFailed, quotaExceeded } from './failures.ts'
import { keys } from './keys.ts'
import {
  type BucketRecord,
  decodeBlob,
  decodeBucket,
  decodeVersion,
  type Segment,
  type VersionRecord,
} from './records.ts'
import type { ChangeNote, Transaction } from './transaction.ts'
import type { Change, DeleteOptions, DeleteResult, ObjectHandle, ObjectInfo, PutOptions } from './types.ts'
import { type NewBody, readBody, readLatest, readVersion, storeBody, VersionChain } from './versions.ts'

/** An object's handle, with what the engine needs to link its bytes elsewhere. */
export interface InternalHandle extends ObjectHandle {
  readonly bucketNumber: number
  readonly record: VersionRecord
  readonly segments: Segment[]
  readonly data: Buffer | undefined
}

export function isInternal(handle: ObjectHandle): handle is InternalHandle {
  return 'record' in handle && 'bucketNumber' in handle
}

export function describeVersion(
  bucket: string,
  key: string,
  record: VersionRecord,
  isLatest: boolean,
  parts?: ObjectInfo['parts'],
): ObjectInfo {
  const { versionId, marker, size, etag, lastModified, headers, metadata, tags, checksum } = record
  return {
    bucket,
    key,
    versionId,
    isLatest,
    deleteMarker: marker,
    size,
    etag,
    lastModified,
    headers,
    metadata,
    tags,
    ...(checksum && { checksum }),
    ...(parts && { parts }),
  }
}

/** The bucket inside a transaction: it may have gone since the request began. @throws S3Error NoSuchBucket */
export function bucketIn(tx: Transaction, name: string): BucketRecord {
  const value = tx.get(keys.bucket(name))
  if (!value) throw noSuchBucket(name)
  return decodeBucket(value)
}

/** @throws S3Error PreconditionFailed, NoSuchKey (an ETag is asked for and there is no object) */
export function checkCondition(
  condition: PutOptions['condition'],
  latest: VersionRecord | undefined,
  key: string,
): void {
  if (!condition) return
  const current = latest?.marker ? undefined : latest
  const { match, noneMatch } = condition
  if (match !== undefined) {
    if (!current) throw match === '*' ? preconditionFailed() : noSuchKey(key)
    if (match !== '*' && match !== current.etag) throw preconditionFailed()
  }
  if (noneMatch !== undefined && current && (noneMatch === '*' || noneMatch === current.etag)) {
    throw preconditionFailed()
  }
}

export interface NewVersion {
  size: number
  etag: string
  headers: Record<string, string> | undefined
  metadata: Record<string, string> | undefined
  tags: Record<string, string> | undefined
  checksum: PutOptions['check'] extends undefined ? never : VersionRecord['checksum']
  body: NewBody
  condition: PutOptions['condition']
  versionId: string | undefined
  lastModified: number | undefined
  type: Change['type']
}

/** Makes a version the latest of its key: the end of put, copy and complete. */
export function enterVersion(
  core: Core,
  tx: Transaction,
  bucket: string,
  key: string,
  version: NewVersion,
): ObjectInfo {
  const record = bucketIn(tx, bucket)
  const chain = new VersionChain(tx, record.number, keyBytes(key))
  checkCondition(version.condition, chain.latest, key)
  const versionId = version.versionId ?? (versioningOf(record) === 'Enabled' ? randomUUID() : 'null')
  chain.remove(versionId)
  const quota = quotaOf(record)
  if (quota !== undefined && chain.usage.size + version.size > quota) throw quotaExceeded()
  const id = tx.id()
  const pushed = chain.push({
    id,
    versionId,
    marker: false,
    size: version.size,
    etag: version.etag,
    lastModified: version.lastModified ?? core.now(),
    headers: version.headers ?? {},
    metadata: version.metadata ?? {},
    tags: version.tags ?? {},
    checksum: version.checksum,
    body: storeBody(tx, record.number, id, version.body),
  })
  tx.note(noteOf(version.type, bucket, key, pushed))
  return describeVersion(bucket, key, pushed, true, version.body.kind === 'segments' ? version.body.parts : undefined)
}

function noteOf(type: Change['type'], bucket: string, key: string, record: VersionRecord): ChangeNote {
  return { type, bucket, key, versionId: record.versionId, size: record.size, etag: record.etag }
}

export async function putObject(
  core: Core,
  bucket: string,
  key: string,
  body: Readable,
  options: PutOptions,
): Promise<ObjectInfo> {
  const record = core.buckets.require(bucket)
  const bytes = keyBytes(key)
  core.pool.checkRoom(options.size ?? 0)
  refuseEarly(core, record, bytes, options)
  const received = await receive(core, body, { size: options.size, inline: true })
  const { size, md5, data } = received
  let info: ObjectInfo
  try {
    const checksum = await options.check?.({ size, md5 })
    info = await core.committer.commit((tx) => {
      const segments = received.enter(tx)
      return enterVersion(core, tx, bucket, key, {
        size,
        etag: md5,
        headers: options.headers,
        metadata: options.metadata,
        tags: options.tags,
        checksum,
        body: data ? { kind: 'inline', data } : { kind: 'segments', segments, parts: undefined },
        condition: options.condition,
        versionId: options.versionId,
        lastModified: options.lastModified,
        type: 'object-put',
      })
    })
  } catch (error) {
    await received.discard()
    throw error
  }
  received.settle()
  return info
}

/** Refuses before the body is read what the commit would refuse anyway, as far as that is known. */
function refuseEarly(core: Core, bucket: BucketRecord, key: Buffer, options: PutOptions): void {
  const quota = quotaOf(bucket)
  if (!options.condition && (quota === undefined || options.size === undefined)) return
  const latest = readLatest(core.index, bucket.number, key)
  checkCondition(options.condition, latest, key.toString())
  if (quota !== undefined && options.size !== undefined && options.size > quota) throw quotaExceeded()
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
    return data ? once(data.subarray(start, end)) : core.blobs.read(pieces(core, segments, start, end))
  }
  return { info, bucketNumber: number, record: wanted, segments, data, read }
}

/** A key that seems absent is looked for in every copy of the index. */
function surelyLatest(core: Core, bucket: number, key: Buffer): VersionRecord | undefined {
  const value = core.index.getSurely(keys.latest(bucket, key)) ?? core.index.getSurely(keys.marker(bucket, key))
  return value && decodeVersion(value)
}

function markerError(key: string, marker: VersionRecord, versionId: string | undefined): S3Error {
  const detail = { Key: key, VersionId: marker.versionId, DeleteMarker: 'true' }
  if (versionId === undefined) return new S3Error('NoSuchKey', 'The specified key does not exist.', { detail })
  return new S3Error('MethodNotAllowed', 'The specified method is not allowed against this resource.', { detail })
}

function once(data: Buffer): Readable {
  return new Readable({
    read() {
      if (data.length > 0) this.push(data)
      this.push(null)
    },
  })
}

/** The pieces of blobs that make up `[start, end)` of an object. */
function pieces(core: Core, segments: Segment[], start: number, end: number) {
  const found: { blob: string; place: { size: number; slots: number[] }; offset: number; length: number }[] = []
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

export async function deleteObject(
  core: Core,
  bucket: string,
  key: string,
  options: DeleteOptions = {},
): Promise<DeleteResult> {
  core.buckets.require(bucket)
  const result = await core.committer.commit((tx) => deleteIn(core, tx, bucket, key, options))
  return result
}

export async function deleteObjects(
  core: Core,
  bucket: string,
  entries: { key: string; versionId?: string }[],
  options: DeleteOptions = {},
): Promise<(DeleteResult | Error)[]> {
  core.buckets.require(bucket)
  const results = await core.committer.commit((tx) =>
    entries.map(({ key, versionId }) => {
      try {
        return deleteIn(core, tx, bucket, key, { ...options, ...(versionId !== undefined && { versionId }) })
      } catch (error) {
        // One key's condition or name: the others go on. It threw before it had changed anything.
        if (error instanceof S3Error && error.code !== 'NoSuchBucket') return error
        throw error
      }
    }),
  )
  return results
}

function deleteIn(core: Core, tx: Transaction, bucket: string, key: string, options: DeleteOptions): DeleteResult {
  const record = bucketIn(tx, bucket)
  const bytes = keyBytes(key)
  const chain = new VersionChain(tx, record.number, bytes)
  const { versionId } = options
  const target = versionId === undefined ? chain.latest : chain.find(versionId)
  checkCondition(options.condition, target, key)
  const versioning = versioningOf(record)
  if (versionId !== undefined || versioning === undefined) {
    const removed = chain.remove(versionId ?? 'null')
    if (removed) tx.note(noteOf('object-delete', bucket, key, removed))
    const shown = versioning === undefined && versionId === undefined ? undefined : versionId
    return { key, ...(shown !== undefined && { versionId: shown }), deleteMarker: removed?.marker ?? false }
  }
  const markerId = versioning === 'Enabled' ? randomUUID() : 'null'
  if (markerId === 'null') chain.remove('null')
  const marker = chain.push({
    id: tx.id(),
    versionId: markerId,
    marker: true,
    size: 0,
    etag: '',
    lastModified: core.now(),
    headers: {},
    metadata: {},
    tags: {},
    checksum: undefined,
    body: { kind: 'empty' },
  })
  tx.note(noteOf('marker-put', bucket, key, marker))
  return { key, versionId: markerId, deleteMarker: true }
}

export async function copyObject(
  core: Core,
  source: ObjectHandle,
  bucket: string,
  key: string,
  options: Omit<PutOptions, 'size'>,
): Promise<ObjectInfo> {
  if (!isInternal(source)) throw new TypeError('the source is not a handle of this engine')
  core.buckets.require(bucket)
  const { size, etag } = source.info
  core.pool.checkRoom(size <= INLINE_BYTES ? size : 0)
  const checksum = (await options.check?.({ size, md5: etag })) ?? source.info.checksum
  const info = await core.committer.commit((tx) => {
    if (!linkSegments(tx, source.segments)) throw noSuchKey(source.info.key)
    const body: NewBody = source.data
      ? { kind: 'inline', data: source.data }
      : size === 0
        ? { kind: 'inline', data: Buffer.alloc(0) }
        : { kind: 'segments', segments: source.segments, parts: source.info.parts }
    return enterVersion(core, tx, bucket, key, {
      size,
      etag,
      headers: options.headers,
      metadata: options.metadata,
      tags: options.tags,
      checksum,
      body,
      condition: options.condition,
      versionId: options.versionId,
      lastModified: options.lastModified,
      type: 'object-copy',
    })
  })
  return info
}

export async function setObjectTags(
  core: Core,
  bucket: string,
  key: string,
  versionId: string | undefined,
  tags: Record<string, string>,
): Promise<ObjectInfo> {
  core.buckets.require(bucket)
  return core.committer.commit((tx) => {
    const chain = new VersionChain(tx, bucketIn(tx, bucket).number, keyBytes(key))
    const record = versionId === undefined ? chain.latest : chain.find(versionId)
    if (!record) throw versionId === undefined ? noSuchKey(key) : noSuchVersion(key, versionId)
    if (record.marker) throw markerError(key, record, versionId)
    const tagged = { ...record, tags }
    chain.update(tagged)
    tx.note(noteOf('object-tags', bucket, key, tagged))
    return describeVersion(bucket, key, tagged, record.id === chain.latest?.id)
  })
}
