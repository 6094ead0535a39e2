import { S3Error } from '../errors.ts'
import type { Core } from './core.ts'
import { bucketIn, describeVersion, noteOf } from './enter-version.ts'
import { keyBytes } from './failures.ts'
import { touched } from './replication.ts'
import { requireVersion } from './require-version.ts'
import type { GovernanceBypass, ObjectInfo, ObjectName, Retention, VersionLock } from './types.ts'
import { locked, noObjectLock } from './version-lock.ts'
import { VersionChain } from './versions.ts'

/** `undefined` removes the retention of a version. @throws S3Error NoSuchKey, NoSuchVersion, InvalidRequest, AccessDenied */
export async function setRetention(
  core: Core,
  object: ObjectName,
  retention: Retention | undefined,
  bypass?: GovernanceBypass,
): Promise<ObjectInfo> {
  return changeLock(core, object, 'object-retention', (lock, now) => {
    if (retention && retention.until <= now) {
      throw new S3Error('InvalidRequest', 'the retain until date must be in the future')
    }
    const current = lock.retention
    if (current && current.until > now) checkChange(current, retention, bypass)
    const { retention: _, ...rest } = lock
    return retention ? { ...rest, retention } : rest
  })
}

/** Checks a change of retention in force: it may only be prolonged, unless the caller bypasses governance mode. */
function checkChange(current: Retention, next: Retention | undefined, bypass: GovernanceBypass | undefined): void {
  if (next?.mode === current.mode && next.until >= current.until) return
  if (current.mode === 'COMPLIANCE' || bypass === undefined) throw locked()
  if (bypass === 'denied') throw new S3Error('AccessDenied', 'Access Denied.')
}

export async function setLegalHold(core: Core, object: ObjectName, legalHold: 'ON' | 'OFF'): Promise<ObjectInfo> {
  return changeLock(core, object, 'object-legal-hold', (lock) => ({ ...lock, legalHold }))
}

function changeLock(
  core: Core,
  { bucket, key, versionId }: ObjectName,
  type: 'object-retention' | 'object-legal-hold',
  change: (lock: VersionLock, now: number) => VersionLock,
): Promise<ObjectInfo> {
  core.buckets.require(bucket)
  return core.commit((tx) => {
    const entered = bucketIn(core, tx, bucket)
    if (!entered.record.objectLock) throw noObjectLock()
    const chain = new VersionChain(core, tx, entered.number, keyBytes(key))
    const version = requireVersion(chain, key, versionId)
    const lock = change(version.lock ?? {}, core.lockClock.now())
    const part = type === 'object-retention' ? 'retention' : 'legalHold'
    const changed = { ...version, lock, replication: touched(core, tx, entered, key, version, part) }
    chain.update(changed)
    tx.note(noteOf(type, bucket, key, changed))
    return describeVersion(bucket, key, changed, version.id === chain.latest?.id)
  })
}
