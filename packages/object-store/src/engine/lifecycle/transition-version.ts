import { requireBucketInTransaction } from '../buckets/bucket-in-transaction.ts'
import type { EngineCore } from '../core/engine-core.ts'
import { newTierObjectName } from '../interface/tier-object-names.ts'
import type { ObjectVersionName } from '../interface/types.ts'
import { versionChangeNote } from '../objects/enter-version.ts'
import { readStoredBytes } from '../objects/object-handle.ts'
import { keyBytes } from '../records/engine-errors.ts'
import type { VersionRecord } from '../records/index-records.ts'
import { announceTierObject, enterTierObject, requireTierAccess } from '../versions/tier-objects.ts'
import {
  readVersion,
  readVersionBody,
  removeLocalVersionBytes,
  storeVersionBody,
  VersionChain,
} from '../versions/version-chain.ts'
import { dueTransition } from './lifecycle-actions.ts'

/**
 * Moves the bytes of a version to the tier that the rules of its bucket now require. A version that changes meanwhile is not
 * moved. @returns the number of bytes moved
 */
export async function transitionVersion(
  core: EngineCore,
  { bucket, key, versionId = 'null' }: ObjectVersionName,
): Promise<number> {
  const access = requireTierAccess(core)
  const target = core.buckets.require(bucket)
  const bytes = keyBytes(key)
  const record = readVersion(core.index, target.number, bytes, versionId)
  if (!record) return 0
  const tier = dueTransition(core, core.index, target, key, record)
  if (tier === undefined || record.body.kind === 'empty') return 0
  const { segments } = readVersionBody(core.index, target.number, record)
  const raw = readStoredBytes(core, target.number, record, segments)
  const object = newTierObjectName(core.pool.layout.deploymentId, raw.size)
  core.tiers.active.add(object)
  try {
    await core.commit((tx) => announceTierObject(tx, tier, object))
    await access.put(tier, object, raw.size, raw.read())
    return await core.committer.commit((tx) => {
      const { number } = requireBucketInTransaction(core, tx, bucket)
      const chain = new VersionChain(core, tx, number, bytes)
      const now = chain.find(versionId)
      const isSame = now?.id === record.id && number === target.number && now.tier === undefined
      // The written object was announced without a version, so it will be removed from the tier.
      if (!now || !isSame || dueTransition(core, tx, requireBucketInTransaction(core, tx, bucket), key, now) !== tier)
        return 0
      const { parts } = readVersionBody(tx, number, now)
      removeLocalVersionBytes(tx, number, now)
      enterTierObject(tx, object, { tier, size: raw.size, inline: now.body.kind === 'inline', segments })
      const moved: VersionRecord = {
        ...now,
        headers: { ...now.headers, 'x-amz-storage-class': tier },
        tier: { object },
        body: parts
          ? storeVersionBody(tx, number, now.id, { kind: 'segments', segments: [], parts })
          : { kind: 'empty' },
      }
      chain.update(moved)
      tx.note(versionChangeNote('object-transition', bucket, key, moved))
      return raw.size
    })
  } finally {
    core.tiers.active.delete(object)
    core.tiers.collect()
  }
}
