import type { Readable } from 'node:stream'
import { linkSegments } from './blob-references.ts'
import { INLINE_BYTES, type Received, receive } from './body.ts'
import type { Bucket } from './bucket-table.ts'
import { streamOf } from './copied-body.ts'
import type { Core } from './core.ts'
import { etagOf, newObjectKey, type ObjectKey, wrapObjectKey } from './encryption.ts'
import { bucketIn, checkCondition, describeVersion, enterVersion, noteOf } from './enter-version.ts'
import { keyBytes, noSuchKey } from './failures.ts'
import { type InternalHandle, isInternal } from './get-object.ts'
import { refuseOverQuota } from './quota.ts'
import { mergeReplica, touched } from './replication.ts'
import { requireVersion } from './require-version.ts'
import { isRemote } from './tiers.ts'
import type { Checksum, ObjectHandle, ObjectInfo, ObjectName, PutOptions } from './types.ts'
import { noObjectLock } from './version-lock.ts'
import { type NewBody, readLatest, readVersion, VersionChain } from './versions.ts'

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
  const objectKey = await newObjectKey(core, record, options.encryption)
  const received = await receive(core, body, {
    size: options.size,
    inline: true,
    key: objectKey,
    object: { key, headers: options.headers },
  })
  return enterReceived(core, received, { bucket, key, objectKey, type: 'object-put' }, options)
}

/** Makes a received body the latest version of its key. */
async function enterReceived(
  core: Core,
  received: Received,
  target: { bucket: string; key: string; objectKey: ObjectKey | undefined; type: 'object-put' | 'object-copy' },
  options: PutOptions,
): Promise<ObjectInfo> {
  const { bucket, key, objectKey, type } = target
  const { size, md5, data } = received
  let info: ObjectInfo
  try {
    const checksum = await options.check?.({ size, md5 })
    info = await core.commit((tx) => {
      const segments = received.enter(tx)
      return enterVersion(core, tx, bucket, key, {
        ...described(options),
        size,
        etag: etagOf(objectKey, md5),
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

function described({ headers, metadata, tags, lock, condition, versionId, lastModified, replica }: PutOptions) {
  return { headers, metadata, tags, lock, condition, versionId, lastModified, replica }
}

/** Refuses a write before its body is read, if it is already known that the commit would fail. */
function refuseEarly(
  core: Core,
  bucket: Bucket,
  key: Buffer,
  options: Pick<PutOptions, 'condition' | 'size' | 'versionId'>,
): void {
  const { quota } = bucket
  if (!options.condition && (quota === undefined || options.size === undefined)) return
  const latest = readLatest(core.index, bucket.number, key)
  const name = key.toString()
  checkCondition(options.condition, latest, name)
  if (quota === undefined || options.size === undefined) return
  const replaced = replacedVersion(core, bucket, key, options.versionId)
  refuseOverQuota(core, bucket, options.size, replaced?.size)
}

/** Returns the version that a write would replace. */
function replacedVersion(core: Core, bucket: Bucket, key: Buffer, versionId: string | undefined) {
  if (versionId !== undefined) return readVersion(core.index, bucket.number, key, versionId)
  if (bucket.versioningOf(key.toString()) === 'Enabled') return undefined
  return readVersion(core.index, bucket.number, key, 'null')
}

export async function copyObject(
  core: Core,
  source: ObjectHandle,
  bucket: string,
  key: string,
  options: Omit<PutOptions, 'size'>,
): Promise<ObjectInfo> {
  if (!isInternal(source)) throw new TypeError('the source is not a handle of this engine')
  const target = core.buckets.require(bucket)
  const { size, etag } = source.info
  refuseEarly(core, target, keyBytes(key), { ...options, size })
  core.pool.checkRoom(size <= INLINE_BYTES ? size : 0)
  const objectKey = await newObjectKey(core, target, options.encryption)
  if (!canLink(source, objectKey)) return copyBytes(core, source, { bucket, key, objectKey }, options)
  const checksum = (await options.check?.({ size, md5: etag })) ?? source.info.checksum
  const sourceKey = source.objectKey()
  return core.commit((tx) => {
    if (!linkSegments(tx, source.segments)) throw noSuchKey(source.info.key)
    const data = source.storedData ?? (size === 0 ? Buffer.alloc(0) : undefined)
    const body: NewBody = data
      ? { kind: 'inline', data }
      : { kind: 'segments', segments: source.segments, parts: partsUnder(checksum, source.info) }
    return enterVersion(core, tx, bucket, key, {
      ...described(options),
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
function canLink({ record }: InternalHandle, objectKey: ObjectKey | undefined): boolean {
  if (isRemote(record)) return false
  const { encryption } = record
  if (!encryption || !objectKey) return !encryption && !objectKey
  return encryption.mode === objectKey.mode && encryption.mode !== 'SSE-C' && encryption.keyId === objectKey.keyId
}

/** Reads the source and writes it again, with another encryption key or none. */
async function copyBytes(
  core: Core,
  source: InternalHandle,
  target: { bucket: string; key: string; objectKey: ObjectKey | undefined },
  options: Omit<PutOptions, 'size'>,
): Promise<ObjectInfo> {
  const { size, checksum } = source.info
  core.pool.checkRoom(size)
  const received = await receive(core, streamOf(source.read()), {
    size,
    inline: true,
    key: target.objectKey,
    object: { key: target.key, headers: options.headers },
  })
  // A composite checksum of parts does not apply to a body in one piece.
  const kept = checksum?.type === 'FULL_OBJECT' ? checksum : undefined
  return enterReceived(core, received, { ...target, type: 'object-copy' }, { check: () => kept, ...options })
}

/** Returns the parts of a copy, without their checksums if the copy has another algorithm than the source. */
function partsUnder(checksum: Checksum | undefined, { parts, checksum: own }: ObjectInfo): ObjectInfo['parts'] {
  return checksum?.algorithm === own?.algorithm ? parts : parts?.map(({ size }) => ({ size }))
}

export async function setObjectTags(
  core: Core,
  { bucket, key, versionId }: ObjectName,
  tags: Record<string, string>,
): Promise<ObjectInfo> {
  core.buckets.require(bucket)
  return core.commit((tx) => {
    const entered = bucketIn(core, tx, bucket)
    const chain = new VersionChain(core, tx, entered.number, keyBytes(key))
    const record = requireVersion(chain, key, versionId)
    const tagged = { ...record, tags, replication: touched(core, tx, entered, key, { ...record, tags }, 'tags') }
    chain.update(tagged)
    tx.note(noteOf(Object.keys(tags).length === 0 ? 'object-tags-removed' : 'object-tags', bucket, key, tagged))
    return describeVersion(bucket, key, tagged, record.id === chain.latest?.id)
  })
}

export async function receiveMetadata(
  core: Core,
  { bucket, key, versionId }: ObjectName,
  { replica, lastModified, tags = {}, lock }: PutOptions,
): Promise<ObjectInfo> {
  core.buckets.require(bucket)
  return core.commit((tx) => {
    const { number, record: entered } = bucketIn(core, tx, bucket)
    const chain = new VersionChain(core, tx, number, keyBytes(key))
    const record = requireVersion(chain, key, versionId)
    if (lock && !entered.objectLock) throw noObjectLock()
    const received = {
      replica: replica ?? { times: {} },
      lastModified: lastModified ?? record.lastModified,
      tags,
      lock,
    }
    const merged = mergeReplica(record, received)
    chain.update(merged)
    tx.note(noteOf('object-tags', bucket, key, merged))
    return describeVersion(bucket, key, merged, merged.id === chain.latest?.id)
  })
}
