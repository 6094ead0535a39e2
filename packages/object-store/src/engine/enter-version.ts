import { randomUUID } from 'node:crypto'
import { quotaOf, versioningOf } from './bucket-table.ts'
import type { Core } from './core.ts'
import { checkVersionId, keyBytes, noSuchBucket, noSuchKey, preconditionFailed, quotaExceeded } from './failures.ts'
import { keys } from './keys.ts'
import { type BucketRecord, decodeBucket, type VersionRecord } from './records.ts'
import type { ChangeNote, Transaction } from './transaction.ts'
import type { Change, ObjectInfo, PutOptions } from './types.ts'
import { type NewBody, storeBody, VersionChain } from './versions.ts'

/** A version as callers see it. */
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

/** @throws S3Error PreconditionFailed, NoSuchKey (an object is asked for and there is none) */
export function checkCondition(
  condition: PutOptions['condition'],
  latest: VersionRecord | undefined,
  key: string,
): void {
  if (!condition) return
  const current = latest?.marker ? undefined : latest
  const { match, noneMatch } = condition
  if (match !== undefined) {
    if (!current) throw noSuchKey(key)
    if (match !== '*' && match !== current.etag) throw preconditionFailed()
  }
  if (noneMatch !== undefined && current && (noneMatch === '*' || noneMatch === current.etag)) {
    throw preconditionFailed()
  }
}

/** What a version will be, but for its place in the chain. */
export interface NewVersion {
  size: number
  etag: string
  headers: Record<string, string> | undefined
  metadata: Record<string, string> | undefined
  tags: Record<string, string> | undefined
  checksum: VersionRecord['checksum']
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
  checkVersionId(version.versionId)
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

/** What the feed is told of a version. */
export function noteOf(type: Change['type'], bucket: string, key: string, record: VersionRecord): ChangeNote {
  return { type, bucket, key, versionId: record.versionId, size: record.size, etag: record.etag }
}
