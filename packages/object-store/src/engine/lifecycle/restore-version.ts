import { S3Error } from '../../lib/errors.ts'
import { requireBucketInTransaction } from '../buckets/bucket-in-transaction.ts'
import type { Transaction } from '../commit/transaction.ts'
import type { EngineCore } from '../core/engine-core.ts'
import type { ObjectVersionName } from '../interface/types.ts'
import { chunksToStream } from '../objects/chunk-stream.ts'
import { versionChangeNote } from '../objects/enter-version.ts'
import { getObject } from '../objects/object-handle.ts'
import { receiveBody } from '../objects/receive-body.ts'
import { keyBytes, noSuchKey } from '../records/engine-errors.ts'
import type { VersionRecord } from '../records/index-records.ts'
import { isOnTierOnly, readTierObject } from '../versions/tier-objects.ts'
import { readVersionBody, removeLocalVersionBytes, storeVersionBody, VersionChain } from '../versions/version-chain.ts'

/** Restores a local copy of a version from its tier, or prolongs the existing one. */
export async function restoreVersion(
  core: EngineCore,
  { bucket, key, versionId }: ObjectVersionName,
  until: number,
): Promise<void> {
  const handle = getObject(core, bucket, key, versionId)
  const { record, info } = handle
  if (!record.tier) {
    throw new S3Error('InvalidObjectState', 'The operation is not valid for the current state of the object.')
  }
  if (!isOnTierOnly(record)) return prolongRestore(core, { bucket, key, versionId: info.versionId }, record, until)
  if (record.encryption?.mode === 'SSE-C') {
    throw new S3Error(
      'NotImplemented',
      'An object that is encrypted with a key of a customer is not restored; read it.',
    )
  }
  core.pool.checkRoom(info.size)
  const objectKey = handle.objectKey()
  const received = await receiveBody(core, chunksToStream(handle.read()), {
    size: info.size,
    inline: true,
    key: objectKey,
    object: { key, headers: record.headers },
  })
  try {
    await core.commit((tx) => {
      const { number } = requireBucketInTransaction(core, tx, bucket)
      const chain = new VersionChain(core, tx, number, keyBytes(key))
      const now = chain.find(info.versionId)
      if (!now?.tier || now.tier.object !== record.tier?.object || !isOnTierOnly(now)) throw noSuchKey(key)
      const segments = received.enter(tx)
      const { parts } = readVersionBody(tx, number, now)
      const body = storeVersionBody(
        tx,
        number,
        now.id,
        received.data ? { kind: 'inline', data: received.data } : { kind: 'segments', segments, parts },
      )
      const restored = { ...now, body, tier: { object: now.tier.object, restoredUntil: until } }
      chain.update(restored)
      tx.note(versionChangeNote('object-restore', bucket, key, restored))
    })
  } catch (error) {
    await received.discard()
    throw error
  }
  received.settle()
}

async function prolongRestore(
  core: EngineCore,
  object: Required<ObjectVersionName>,
  record: VersionRecord,
  until: number,
): Promise<void> {
  await core.commit((tx) => {
    const { number } = requireBucketInTransaction(core, tx, object.bucket)
    const chain = new VersionChain(core, tx, number, keyBytes(object.key))
    const now = chain.find(object.versionId ?? record.versionId)
    if (!now?.tier || isOnTierOnly(now)) throw noSuchKey(object.key)
    chain.update({ ...now, tier: { ...now.tier, restoredUntil: until } })
  })
}

/** Whether the time of the local copy of a version has ended. */
export function isRestoreOver({ tier }: VersionRecord, now: number): boolean {
  return tier?.restoredUntil !== undefined && tier.restoredUntil <= now
}

/** Removes the local copy of a version, whose bytes are then only on the tier. */
export function endRestore(
  core: EngineCore,
  tx: Transaction,
  bucket: number,
  key: Buffer,
  version: VersionRecord,
): void {
  const chain = new VersionChain(core, tx, bucket, key)
  const now = chain.find(version.versionId)
  if (!now?.tier || now.id !== version.id) return
  // The tier object must exist, because afterwards it has the only copy of the bytes.
  readTierObject(tx, now.tier.object)
  const { parts } = readVersionBody(tx, bucket, now)
  removeLocalVersionBytes(tx, bucket, now)
  const body = parts
    ? storeVersionBody(tx, bucket, now.id, { kind: 'segments', segments: [], parts })
    : { kind: 'empty' as const }
  chain.update({ ...now, body, tier: { object: now.tier.object } })
}
