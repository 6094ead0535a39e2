import type { Readable } from 'node:stream'
import { requireBucketInTransaction } from '../buckets/bucket-in-transaction.ts'
import { checkBucketQuota } from '../buckets/check-bucket-quota.ts'
import type { StoredBucket } from '../core/bucket-table.ts'
import type { EngineCore } from '../core/engine-core.ts'
import {
  createObjectKey,
  type ObjectEncryptionKey,
  objectEtag,
  wrapObjectKey,
} from '../encryption/object-encryption.ts'
import type { Checksum, ObjectHandle, ObjectInfo, ObjectVersionName, PutObjectOptions } from '../interface/types.ts'
import { addSegmentReferences } from '../records/blob-references.ts'
import { keyBytes, noSuchKey } from '../records/engine-errors.ts'
import { mergeReplica, queueMetadataChange } from '../replication/queue-replication.ts'
import { requireVersion } from '../versions/require-version.ts'
import { isOnTierOnly } from '../versions/tier-objects.ts'
import { type NewVersionBody, readLatest, readVersion, VersionChain } from '../versions/version-chain.ts'
import { hasLock, noObjectLockError } from '../versions/version-lock.ts'
import { chunksToStream } from './chunk-stream.ts'
import { checkWriteCondition, describeVersion, enterVersion, versionChangeNote } from './enter-version.ts'
import { type InternalObjectHandle, isInternalHandle, verifyStoredBytes } from './object-handle.ts'
import { MAX_INLINE_BYTES, type ReceivedObjectBody, receiveBody } from './receive-body.ts'

export async function putObject(
  core: EngineCore,
  bucket: string,
  key: string,
  body: Readable,
  options: PutObjectOptions,
): Promise<ObjectInfo> {
  const record = core.buckets.require(bucket)
  const bytes = keyBytes(key)
  core.pool.checkRoom(options.size ?? 0)
  checkBeforeBody(core, record, bytes, options)
  const objectKey = await createObjectKey(core, record, options.encryption)
  const received = await receiveBody(core, body, {
    size: options.size,
    inline: true,
    key: objectKey,
    object: { key, headers: options.headers },
  })
  return enterReceivedBody(core, received, { bucket, key, objectKey, type: 'object-put' }, options)
}

/** Makes a received body the latest version of its key. */
async function enterReceivedBody(
  core: EngineCore,
  received: ReceivedObjectBody,
  target: {
    bucket: string
    key: string
    objectKey: ObjectEncryptionKey | undefined
    type: 'object-put' | 'object-copy'
  },
  options: PutObjectOptions,
): Promise<ObjectInfo> {
  const { bucket, key, objectKey, type } = target
  const { size, md5, data } = received
  let info: ObjectInfo
  try {
    const checksum = await options.check?.({ size, md5 })
    info = await core.commit((tx) => {
      const segments = received.enter(tx)
      return enterVersion(core, tx, bucket, key, {
        ...versionFields(options),
        size,
        etag: objectEtag(objectKey, md5),
        encryption: objectKey && wrapObjectKey(objectKey, { bucket, key }),
        checksum,
        body: data ? { kind: 'inline', data } : { kind: 'segments', segments, parts: undefined },
        type,
      })
    })
  } catch (error) {
    await received.discard()
    throw error
  }
  received.settle()
  return info
}

function versionFields({
  headers,
  metadata,
  tags,
  lock,
  condition,
  versionId,
  lastModified,
  replica,
  replicaRights,
}: PutObjectOptions) {
  return { headers, metadata, tags, lock, condition, versionId, lastModified, replica, replicaRights }
}

/** Refuses a write before its body is read, if it is already known that the commit would fail. */
function checkBeforeBody(
  core: EngineCore,
  bucket: StoredBucket,
  key: Buffer,
  options: Pick<PutObjectOptions, 'condition' | 'size' | 'versionId'>,
): void {
  const { quota } = bucket
  if (!options.condition && (quota === undefined || options.size === undefined)) return
  const latest = readLatest(core.index, bucket.number, key)
  const name = key.toString()
  checkWriteCondition(options.condition, latest, name)
  if (quota === undefined || options.size === undefined) return
  const replaced = replacedVersion(core, bucket, key, options.versionId)
  checkBucketQuota(core, bucket, options.size, replaced?.size)
}

/** Returns the version that a write would replace. */
function replacedVersion(core: EngineCore, bucket: StoredBucket, key: Buffer, versionId: string | undefined) {
  if (versionId !== undefined) return readVersion(core.index, bucket.number, key, versionId)
  if (bucket.effectiveVersioning(key.toString()) === 'Enabled') return undefined
  return readVersion(core.index, bucket.number, key, 'null')
}

export async function copyObject(
  core: EngineCore,
  source: ObjectHandle,
  bucket: string,
  key: string,
  options: Omit<PutObjectOptions, 'size'>,
): Promise<ObjectInfo> {
  if (!isInternalHandle(source)) throw new TypeError('the source is not a handle of this engine')
  const target = core.buckets.require(bucket)
  const { size, etag } = source.info
  checkBeforeBody(core, target, keyBytes(key), { ...options, size })
  core.pool.checkRoom(size <= MAX_INLINE_BYTES ? size : 0)
  const objectKey = await createObjectKey(core, target, options.encryption)
  if (!canShareBytes(source, objectKey)) return copyBytes(core, source, { bucket, key, objectKey }, options)
  // A copy shares the bytes of its source, and must not pass on damage in silence.
  await verifyStoredBytes(core, source)
  const checksum = (await options.check?.({ size, md5: etag })) ?? source.info.checksum
  const sourceKey = source.objectKey()
  return core.commit((tx) => {
    if (!addSegmentReferences(tx, source.segments)) throw noSuchKey(source.info.key)
    const data = source.storedData ?? (size === 0 ? Buffer.alloc(0) : undefined)
    const body: NewVersionBody = data
      ? { kind: 'inline', data }
      : { kind: 'segments', segments: source.segments, parts: partsForChecksum(checksum, source.info) }
    return enterVersion(core, tx, bucket, key, {
      ...versionFields(options),
      size,
      etag,
      encryption: sourceKey && wrapObjectKey(sourceKey, { bucket, key }),
      checksum,
      body,
      type: 'object-copy',
    })
  })
}

/** Whether a copy can share the bytes of its source: both are unencrypted, or their keys are wrapped by the same key. */
function canShareBytes({ record }: InternalObjectHandle, objectKey: ObjectEncryptionKey | undefined): boolean {
  if (isOnTierOnly(record)) return false
  const { encryption } = record
  if (!encryption || !objectKey) return !encryption && !objectKey
  return encryption.mode === objectKey.mode && encryption.mode !== 'SSE-C' && encryption.keyId === objectKey.keyId
}

/** Reads the source and writes it again, with another encryption key or none. */
async function copyBytes(
  core: EngineCore,
  source: InternalObjectHandle,
  target: { bucket: string; key: string; objectKey: ObjectEncryptionKey | undefined },
  options: Omit<PutObjectOptions, 'size'>,
): Promise<ObjectInfo> {
  const { size, checksum } = source.info
  core.pool.checkRoom(size)
  const received = await receiveBody(core, chunksToStream(source.read()), {
    size,
    inline: true,
    key: target.objectKey,
    object: { key: target.key, headers: options.headers },
  })
  // A composite checksum of parts does not apply to a body in one piece.
  const kept = checksum?.type === 'FULL_OBJECT' ? checksum : undefined
  return enterReceivedBody(core, received, { ...target, type: 'object-copy' }, { check: () => kept, ...options })
}

/** Returns the parts of a copy, without their checksums if the copy has another algorithm than the source. */
function partsForChecksum(checksum: Checksum | undefined, { parts, checksum: own }: ObjectInfo): ObjectInfo['parts'] {
  return checksum?.algorithm === own?.algorithm ? parts : parts?.map(({ size }) => ({ size }))
}

export async function setObjectTags(
  core: EngineCore,
  { bucket, key, versionId }: ObjectVersionName,
  tags: Record<string, string>,
): Promise<ObjectInfo> {
  core.buckets.require(bucket)
  return core.commit((tx) => {
    const entered = requireBucketInTransaction(core, tx, bucket)
    const chain = new VersionChain(core, tx, entered.number, keyBytes(key))
    const record = requireVersion(chain, key, versionId)
    const tagged = {
      ...record,
      tags,
      replication: queueMetadataChange(core, tx, entered, key, { ...record, tags }, 'tags'),
    }
    chain.update(tagged)
    tx.note(
      versionChangeNote(Object.keys(tags).length === 0 ? 'object-tags-removed' : 'object-tags', bucket, key, tagged),
    )
    return describeVersion(bucket, key, tagged, record.id === chain.latest?.id)
  })
}

export async function applyReplicaMetadata(
  core: EngineCore,
  { bucket, key, versionId }: ObjectVersionName,
  { replica, lastModified, tags = {}, lock, replicaRights }: PutObjectOptions,
): Promise<ObjectInfo> {
  core.buckets.require(bucket)
  return core.commit((tx) => {
    const { number, record: entered } = requireBucketInTransaction(core, tx, bucket)
    const chain = new VersionChain(core, tx, number, keyBytes(key))
    const record = requireVersion(chain, key, versionId)
    if (hasLock(lock) && !entered.objectLock) throw noObjectLockError()
    const received = {
      replica: replica ?? { times: {} },
      lastModified: lastModified ?? record.lastModified,
      tags,
      lock,
    }
    const merged = mergeReplica(record, received, core.lockClock.now(), replicaRights)
    chain.update(merged)
    tx.note(versionChangeNote('object-tags', bucket, key, merged))
    return describeVersion(bucket, key, merged, merged.id === chain.latest?.id)
  })
}
