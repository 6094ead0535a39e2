import { S3Error } from '../../lib/errors.ts'
import { requireBucketInTransaction } from '../buckets/bucket-in-transaction.ts'
import type { EngineCore } from '../core/engine-core.ts'
import type {
  GovernanceBypass,
  ObjectInfo,
  ObjectVersionName,
  VersionLock,
  VersionRetention,
} from '../interface/types.ts'
import { keyBytes } from '../records/engine-errors.ts'
import { queueMetadataChange } from '../replication/queue-replication.ts'
import { requireVersion } from '../versions/require-version.ts'
import { VersionChain } from '../versions/version-chain.ts'
import { noObjectLockError, versionLockedError } from '../versions/version-lock.ts'
import { describeVersion, versionChangeNote } from './enter-version.ts'

/** `undefined` removes the retention of a version. @throws S3Error NoSuchKey, NoSuchVersion, InvalidRequest, AccessDenied */
export async function setObjectRetention(
  core: EngineCore,
  object: ObjectVersionName,
  retention: VersionRetention | undefined,
  bypass?: GovernanceBypass,
): Promise<ObjectInfo> {
  return changeVersionLock(core, object, 'object-retention', (lock, now) => {
    if (retention && retention.until <= now) {
      throw new S3Error('InvalidRequest', 'the retain until date must be in the future')
    }
    const current = lock.retention
    if (current && current.until > now) checkRetentionChange(current, retention, bypass)
    const { retention: _, ...rest } = lock
    return retention ? { ...rest, retention } : rest
  })
}

/** Checks a change of retention in force: it may only be prolonged, unless the caller bypasses governance mode. */
function checkRetentionChange(
  current: VersionRetention,
  next: VersionRetention | undefined,
  bypass: GovernanceBypass | undefined,
): void {
  if (next?.mode === current.mode && next.until >= current.until) return
  if (current.mode === 'COMPLIANCE' || bypass === undefined) throw versionLockedError()
  if (bypass === 'denied') throw new S3Error('AccessDenied', 'Access Denied.')
}

export async function setObjectLegalHold(
  core: EngineCore,
  object: ObjectVersionName,
  legalHold: 'ON' | 'OFF',
): Promise<ObjectInfo> {
  return changeVersionLock(core, object, 'object-legal-hold', (lock) => ({ ...lock, legalHold }))
}

function changeVersionLock(
  core: EngineCore,
  { bucket, key, versionId }: ObjectVersionName,
  type: 'object-retention' | 'object-legal-hold',
  change: (lock: VersionLock, now: number) => VersionLock,
): Promise<ObjectInfo> {
  core.buckets.require(bucket)
  return core.commit((tx) => {
    const entered = requireBucketInTransaction(core, tx, bucket)
    if (!entered.record.objectLock) throw noObjectLockError()
    const chain = new VersionChain(core, tx, entered.number, keyBytes(key))
    const version = requireVersion(chain, key, versionId)
    const lock = change(version.lock ?? {}, core.lockClock.now())
    const part = type === 'object-retention' ? 'retention' : 'legalHold'
    const changed = { ...version, lock, replication: queueMetadataChange(core, tx, entered, key, version, part) }
    chain.update(changed)
    tx.note(versionChangeNote(type, bucket, key, changed))
    return describeVersion(bucket, key, changed, version.id === chain.latest?.id)
  })
}
