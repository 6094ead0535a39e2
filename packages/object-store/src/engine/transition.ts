import type { Core } from './core.ts'
import { bucketIn, noteOf } from './enter-version.ts'
import { keyBytes } from './failures.ts'
import { rawBytes } from './get-object.ts'
import { dueTransition } from './lifecycle.ts'
import type { VersionRecord } from './records.ts'
import { newTierObject } from './tier-names.ts'
import { announceTierObject, enterTierObject, requireTiers } from './tiers.ts'
import type { ObjectName } from './types.ts'
import { readBody, readVersion, removeLocalBytes, storeBody, VersionChain } from './versions.ts'

/**
 * Moves the bytes of a version to the tier that the rules of its bucket now require. A version that changes meanwhile is not
 * moved. @returns the number of bytes moved
 */
export async function transitionVersion(core: Core, { bucket, key, versionId = 'null' }: ObjectName): Promise<number> {
  const access = requireTiers(core)
  const target = core.buckets.require(bucket)
  const bytes = keyBytes(key)
  const record = readVersion(core.index, target.number, bytes, versionId)
  if (!record) return 0
  const tier = dueTransition(core, core.index, target, key, record)
  if (tier === undefined || record.body.kind === 'empty') return 0
  const { segments } = readBody(core.index, target.number, record)
  const raw = rawBytes(core, target.number, record, segments)
  const object = newTierObject(core.pool.layout.deploymentId, raw.size)
  core.tiers.active.add(object)
  try {
    await core.commit((tx) => announceTierObject(tx, tier, object))
    await access.put(tier, object, raw.size, raw.read())
    return await core.committer.commit((tx) => {
      const { number } = bucketIn(core, tx, bucket)
      const chain = new VersionChain(core, tx, number, bytes)
      const now = chain.find(versionId)
      const isSame = now?.id === record.id && number === target.number && now.tier === undefined
      // The written object was announced without a version, so it will be removed from the tier.
      if (!now || !isSame || dueTransition(core, tx, bucketIn(core, tx, bucket), key, now) !== tier) return 0
      const { parts } = readBody(tx, number, now)
      removeLocalBytes(tx, number, now)
      enterTierObject(tx, object, { tier, size: raw.size, inline: now.body.kind === 'inline', segments })
      const moved: VersionRecord = {
        ...now,
        headers: { ...now.headers, 'x-amz-storage-class': tier },
        tier: { object },
        body: parts ? storeBody(tx, number, now.id, { kind: 'segments', segments: [], parts }) : { kind: 'empty' },
      }
      chain.update(moved)
      tx.note(noteOf('object-transition', bucket, key, moved))
      return raw.size
    })
  } finally {
    core.tiers.active.delete(object)
    core.tiers.collect()
  }
}
