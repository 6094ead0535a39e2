import { readHeader, type S3ResponseHeaders } from '../details/object-headers.ts'

/** A retention in force. */
export interface ActiveRetention {
  mode: 'GOVERNANCE' | 'COMPLIANCE'
  until: Date
}

/** The lock of a version that is being written. */
export interface NewVersionLock {
  held?: boolean | undefined
  retention?: ActiveRetention | undefined
}

/** Returns the lock in the headers of a version. Servers omit these headers for callers that may not read them. */
export function readVersionLock(head: S3ResponseHeaders): NewVersionLock {
  return { held: readLegalHold(head), retention: readRetention(head) }
}

/** Undefined if the headers do not contain it. */
export function readLegalHold(head: S3ResponseHeaders): boolean | undefined {
  const status = readHeader(head, 'x-amz-object-lock-legal-hold').toUpperCase()
  return status === '' ? undefined : status === 'ON'
}

/** Undefined if there is none, or it has ended. */
export function readRetention(head: S3ResponseHeaders): ActiveRetention | undefined {
  const mode = readHeader(head, 'x-amz-object-lock-mode').toUpperCase()
  const until = new Date(readHeader(head, 'x-amz-object-lock-retain-until-date'))
  if ((mode !== 'GOVERNANCE' && mode !== 'COMPLIANCE') || !(until.getTime() > Date.now())) return undefined
  return { mode, until }
}

/**
 * Returns the lock of a new version that replaces the latest one and has the content of an earlier one: that of the latest,
 * or the earlier one's where it is at least as strict.
 */
export function mergeVersionLocks(latest: NewVersionLock, earlier: NewVersionLock): NewVersionLock {
  const [kept, other] = [latest.retention, earlier.retention]
  const isStrict =
    !kept || (other && other.until >= kept.until && (other.mode === kept.mode || other.mode === 'COMPLIANCE'))
  return { held: latest.held || earlier.held, retention: isStrict ? other : kept }
}

/** Returns a lock as headers of the request that writes the version. */
export function newLockHeaders({ held, retention }: NewVersionLock = {}): Record<string, string | undefined> {
  return {
    'x-amz-object-lock-legal-hold': held ? 'ON' : undefined,
    'x-amz-object-lock-mode': retention?.mode,
    'x-amz-object-lock-retain-until-date': retention?.until.toISOString(),
  }
}
