import { randomUUID } from 'node:crypto'
import { S3Error } from '../../lib/errors.ts'
import { requireBucketInTransaction } from '../buckets/bucket-in-transaction.ts'
import type { ChangeNote, Transaction } from '../commit/transaction.ts'
import type { EngineCore } from '../core/engine-core.ts'
import type {
  ObjectEncryption,
  ObjectInfo,
  PutObjectOptions,
  ReplicaRights,
  ReplicaSource,
  StoreChange,
  VersionLock,
} from '../interface/types.ts'
import { removeSegmentReferences } from '../records/blob-references.ts'
import {
  checkNewVersionId,
  keyBytes,
  noSuchKey,
  quotaExceeded,
  tooManyVersions,
  writeConditionFailed,
} from '../records/engine-errors.ts'
import type { EncryptionRecord, VersionRecord } from '../records/index-records.ts'
import {
  checkReplicaTime,
  describeReplication,
  mergeReplica,
  queueReplication,
} from '../replication/queue-replication.ts'
import { type NewVersionBody, storeVersionBody, VersionChain } from '../versions/version-chain.ts'
import { hasLock, newVersionLock, noObjectLockError } from '../versions/version-lock.ts'

/** Converts the record of a version for callers. */
export function describeVersion(
  bucket: string,
  key: string,
  record: VersionRecord,
  isLatest: boolean,
  parts?: ObjectInfo['parts'],
): ObjectInfo {
  const { versionId, marker, size, etag, lastModified, headers, metadata, tags, checksum, lock, encryption, tier } =
    record
  const replication = record.replication && describeReplication(record.replication)
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
    ...(lock && { lock }),
    ...(encryption && { encryption: describeEncryption(encryption) }),
    ...(tier && { tier: { ...(tier.restoredUntil !== undefined && { restoredUntil: tier.restoredUntil }) } }),
    ...(replication && { replication }),
    ...(parts && { parts }),
  }
}

export function describeEncryption({ mode, keyId }: EncryptionRecord): ObjectEncryption {
  return { mode, ...(keyId !== undefined && { keyId }) }
}

/** @throws S3Error PreconditionFailed, NoSuchKey (the condition requires an object, and the key does not exist) */
export function checkWriteCondition(
  condition: PutObjectOptions['condition'],
  latest: VersionRecord | undefined,
  key: string,
): void {
  if (!condition) return
  const current = latest?.marker ? undefined : latest
  const { match, noneMatch } = condition
  if (match !== undefined) {
    if (!current) throw noSuchKey(key)
    if (match !== '*' && match !== current.etag) throw writeConditionFailed()
  }
  if (noneMatch !== undefined && current && (noneMatch === '*' || noneMatch === current.etag)) {
    throw writeConditionFailed()
  }
}

/** A new version, not yet placed among the versions of its key. */
export interface NewVersion {
  size: number
  etag: string
  headers: Record<string, string> | undefined
  metadata: Record<string, string> | undefined
  tags: Record<string, string> | undefined
  lock: VersionLock | undefined
  encryption: EncryptionRecord | undefined
  checksum: VersionRecord['checksum']
  body: NewVersionBody
  condition: PutObjectOptions['condition']
  versionId: string | undefined
  lastModified: number | undefined
  /** Set if it comes from another store. */
  replica: ReplicaSource | undefined
  replicaRights: ReplicaRights | undefined
  type: StoreChange['type']
}

/** Enters a version: as the latest of its key, or by its age if it is a replica. The last step of put, copy and complete. */
export function enterVersion(
  core: EngineCore,
  tx: Transaction,
  bucket: string,
  key: string,
  version: NewVersion,
): ObjectInfo {
  const record = requireBucketInTransaction(core, tx, bucket)
  const chain = new VersionChain(core, tx, record.number, keyBytes(key))
  checkWriteCondition(version.condition, chain.latest, key)
  checkNewVersionId(version.versionId)
  const { replica } = version
  if (replica) {
    if (hasLock(version.lock) && !record.record.objectLock) throw noObjectLockError()
    const known = mergeKnownVersion(core, tx, { bucket, key, chain }, version, replica)
    if (known) return known
  }
  const lock = newVersionLock(record, version.lock, core.now())
  const versionId = version.versionId ?? (record.effectiveVersioning(key) === 'Enabled' ? randomUUID() : 'null')
  chain.remove(versionId)
  // Replicas are not refused: the other store has already accepted the version.
  if (!replica && chain.latest && chain.latest.older + 1 >= core.limits.versions) throw tooManyVersions()
  const { quota } = record
  if (quota !== undefined && chain.usage.size + version.size > quota) throw quotaExceeded()
  const id = tx.id()
  const tags = version.tags ?? {}
  const entered = {
    id,
    versionId,
    marker: false,
    size: version.size,
    etag: replica?.etag ?? version.etag,
    lastModified: version.lastModified ?? newVersionTime(core, chain.latest),
    headers: version.headers ?? {},
    metadata: version.metadata ?? {},
    tags,
    lock,
    encryption: version.encryption,
    checksum: version.checksum,
    replication: replica
      ? { replica: true, times: replica.times, targets: {} }
      : queueReplication(
          core,
          tx,
          record,
          key,
          { versionId, tags, marker: false, size: version.size, replication: undefined },
          'object',
        ),
    order: undefined,
    body: storeVersionBody(tx, record.number, id, version.body),
  }
  const pushed = replica ? chain.insert(entered) : chain.push(entered)
  tx.note(versionChangeNote(version.type, bucket, key, pushed))
  const parts = version.body.kind === 'segments' ? version.body.parts : undefined
  return describeVersion(bucket, key, pushed, pushed.id === chain.latest?.id, parts)
}

/** Returns the time of a new version: later than the latest one, which may be a replica from a store whose clock is ahead. */
export function newVersionTime({ now }: EngineCore, latest: VersionRecord | undefined): number {
  return latest?.replication?.replica ? Math.max(now(), latest.lastModified + 1) : now()
}

/**
 * Merges the description of a replicated version that already exists here. Its bytes are not changed.
 * @throws S3Error PreconditionFailed (a newer null version exists), InvalidRequest (the bytes differ), InvalidArgument,
 * AccessDenied (no right to change the tags)
 */
function mergeKnownVersion(
  core: EngineCore,
  tx: Transaction,
  { bucket, key, chain }: { bucket: string; key: string; chain: VersionChain },
  version: NewVersion,
  replica: ReplicaSource,
): ObjectInfo | undefined {
  const { versionId, body } = version
  const lastModified = version.lastModified ?? core.now()
  checkReplicaTime(lastModified, core.now())
  const known = versionId === undefined ? undefined : chain.find(versionId)
  if (!known) return undefined
  const etag = replica.etag ?? version.etag
  if (known.marker || known.etag !== etag || known.size !== version.size) {
    if (versionId !== 'null') throw new S3Error('InvalidRequest', 'The version exists with another content.')
    if (known.lastModified >= lastModified) throw writeConditionFailed()
    return undefined
  }
  if (body.kind === 'segments') removeSegmentReferences(tx, body.segments)
  const received = { replica, lastModified, tags: version.tags ?? {}, lock: version.lock }
  const merged = mergeReplica(known, received, core.lockClock.now(), version.replicaRights)
  chain.update(merged)
  tx.note(versionChangeNote('object-tags', bucket, key, merged))
  return describeVersion(bucket, key, merged, merged.id === chain.latest?.id)
}

/** Returns the feed's change record of a version. */
export function versionChangeNote(
  type: StoreChange['type'],
  bucket: string,
  key: string,
  record: VersionRecord,
): ChangeNote {
  return { type, bucket, key, versionId: record.versionId, size: record.size, etag: record.etag }
}
