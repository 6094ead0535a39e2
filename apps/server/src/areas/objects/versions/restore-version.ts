import { toStorageError } from '../../../lib/errors/storage-errors.ts'
import type { S3Api } from '../../../lib/storage/s3-api.ts'
import { type ObjectVersionReference, versionParameters } from '../details/object-details.ts'
import type { S3ResponseHeaders } from '../details/object-headers.ts'
import { type CopyClients, copyVersion } from './copy-version.ts'
import { mergeVersionLocks, readVersionLock } from './version-lock.ts'

/**
 * Makes an earlier version the latest one, by a copy. The copy gets the lock of the latest version, so that the object is not
 * less protected than before, and the earlier version's own.
 * @param mayBeLocked false if the bucket has no object lock
 * @throws UpstreamError as `copyVersion`; AccessDenied also if the caller may not lock objects, and one of these is locked
 */
export async function restoreEarlierVersion(
  clients: CopyClients,
  version: ObjectVersionReference,
  mayBeLocked = true,
): Promise<void> {
  const { bucket, key } = version
  const [head, latest] = await Promise.all([
    clients.s3Stream.headers({ method: 'HEAD', ...versionParameters(version) }),
    mayBeLocked ? readLatest(clients, { bucket, key }) : undefined,
  ])
  const lock = latest ? mergeVersionLocks(readVersionLock(latest), readVersionLock(head)) : readVersionLock(head)
  await copyVersion(clients, version, { bucket, key, overwrite: true, lock }, { head })
}

/** Undefined if the latest version is a delete marker. */
async function readLatest(
  { s3Stream }: CopyClients,
  object: ObjectVersionReference,
): Promise<S3ResponseHeaders | undefined> {
  try {
    return await s3Stream.headers({ method: 'HEAD', ...versionParameters(object) })
  } catch (error) {
    if (toStorageError(error)?.status === 404) return undefined
    throw error
  }
}

/** Whether a bucket may have locked objects. True if the caller has no right to read that. */
export async function hasObjectLock(s3: S3Api, Bucket: string): Promise<boolean> {
  try {
    const { ObjectLockConfiguration } = await s3.getObjectLockConfiguration({ Bucket })
    return ObjectLockConfiguration?.ObjectLockEnabled === 'Enabled'
  } catch (error) {
    const failure = toStorageError(error)
    if (!failure || failure.status >= 500) throw error
    return failure.status === 403
  }
}
