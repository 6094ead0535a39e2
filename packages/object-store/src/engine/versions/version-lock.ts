import { retainUntil } from '../../bucket-settings/object-lock-codec.ts'
import { S3Error } from '../../lib/errors.ts'
import type { StoredBucket } from '../core/bucket-table.ts'
import type { GovernanceBypass, VersionLock } from '../interface/types.ts'

export const versionLockedError = () =>
  new S3Error('InvalidRequest', 'Object is WORM protected and cannot be overwritten')
export const noObjectLockError = () => new S3Error('InvalidRequest', 'Bucket is missing ObjectLockConfiguration')

/**
 * Refuses to remove or replace a version that is locked.
 * @param now of the lock clock
 * @throws S3Error InvalidRequest, AccessDenied (governance, and the caller may not bypass it)
 */
export function checkVersionUnlocked(
  lock: VersionLock | undefined,
  now: number,
  bypass: GovernanceBypass | undefined,
): void {
  if (!lock) return
  if (lock.legalHold === 'ON') throw versionLockedError()
  const { retention } = lock
  if (!retention || retention.until <= now) return
  if (retention.mode === 'COMPLIANCE' || bypass === undefined) throw versionLockedError()
  if (bypass === 'denied') throw new S3Error('AccessDenied', 'Access Denied.')
}

/** Returns the lock of a new version: the requested one or the bucket's default retention. @throws S3Error InvalidRequest */
export function newVersionLock(
  bucket: StoredBucket,
  own: VersionLock | undefined,
  now: number,
): VersionLock | undefined {
  const wanted = hasLock(own)
  if (!bucket.record.objectLock) {
    if (wanted) throw noObjectLockError()
    return undefined
  }
  if (own?.retention) return own
  const rule = bucket.setting('object-lock')?.value.defaultRetention
  if (!rule) return wanted ? own : undefined
  return { ...own, retention: { mode: rule.mode, until: retainUntil(rule, now) } }
}

/** Whether a request names retention or a hold. */
export const hasLock = (lock: VersionLock | undefined): boolean =>
  lock?.retention !== undefined || lock?.legalHold !== undefined
