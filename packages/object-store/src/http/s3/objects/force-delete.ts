import { setImmediate } from 'node:timers/promises'
import { S3_OPERATIONS } from '@stowage/iam-policy'
import { S3Error } from '../../../lib/errors.ts'
import { isUnrestricted, requireAction, versionedAction } from '../../auth/authorize.ts'
import type { StoreCall } from '../../call/call.ts'
import { SharedTime } from '../../call/shared-time.ts'

/*
 * `x-minio-force-delete: true` deletes more than the URL names, so the right to the URL's resource is not enough: the caller
 * needs the right to delete each key and version, and nothing is deleted if one of them is denied.
 */

const BATCH = 1000

export function isForceDelete(call: StoreCall): boolean {
  return call.header('x-minio-force-delete')?.toLowerCase() === 'true'
}

/**
 * Deletes all versions of the key and of the keys below it.
 * @throws S3Error MethodNotAllowed, AccessDenied
 */
export async function forceDeletePrefix(call: StoreCall): Promise<void> {
  const { engine, bucket, key } = call
  if (engine.getBucket(bucket).objectLock) {
    throw new S3Error('MethodNotAllowed', 'A bucket with object lock keeps its versions.')
  }
  // `a/b` means the object a/b and what is below a/b/, and not a/bc.
  const below = key.endsWith('/') ? key : `${key}/`
  const ranges = below === key ? [{ prefix: below }] : [{ prefix: below }, { prefix: key, only: key }]
  for (const range of ranges) await requireRight(call, range)
  for (const range of ranges) await deleteVersions(call, range)
}

/**
 * Deletes a bucket with all its contents.
 * @throws S3Error MethodNotAllowed, AccessDenied, BucketNotEmpty (an object was added meanwhile)
 */
export async function forceDeleteBucket(call: StoreCall): Promise<void> {
  const { engine, bucket } = call
  if (engine.getBucket(bucket).objectLock) {
    throw new S3Error('MethodNotAllowed', 'A bucket with object lock cannot be removed with what is in it.')
  }
  if (isUnrestricted(call, call.bucket)) return await engine.deleteBucket(bucket, { force: true })
  const all = { prefix: '' }
  await requireRight(call, all)
  // Does not use the engine's forced deletion, which would also delete objects added after the check.
  await deleteVersions(call, all)
  await engine.deleteBucket(bucket)
}

interface DeleteRange {
  prefix: string
  /** Limits the range to this key. */
  only?: string
}

interface DeleteVersion {
  key: string
  versionId: string
}

/** @throws S3Error AccessDenied if the caller may not delete one of the versions */
async function requireRight(call: StoreCall, range: DeleteRange): Promise<void> {
  if (isUnrestricted(call, call.bucket)) return
  let after: { key: string; versionId?: string } = { key: '' }
  for (;;) {
    const page = listVersions(call, range, after)
    await checkRight(call, page.versions)
    if (!page.next) return
    after = page.next
    // Lets other requests run between the pages.
    await setImmediate()
  }
}

async function checkRight(call: StoreCall, versions: readonly DeleteVersion[]): Promise<void> {
  // Without versioning, a plain delete removes the only version as well, so its right is enough.
  const isVersioned = call.engine.getBucket(call.bucket).versioning !== undefined
  const time = new SharedTime(call)
  for (const { key, versionId } of versions) {
    await time.next()
    const resource = { bucket: call.bucket, key, versionId: isVersioned ? versionId : undefined }
    requireAction(call, versionedAction(S3_OPERATIONS.DeleteObject, resource), resource)
  }
}

async function deleteVersions(call: StoreCall, range: DeleteRange): Promise<void> {
  for (;;) {
    const page = listVersions(call, range, { key: '' })
    if (page.versions.length === 0) return
    // Check again, because versions may have been added.
    await checkRight(call, page.versions)
    const results = await call.engine.deleteObjects(call.bucket, page.versions)
    for (const result of results) if (result instanceof Error) throw result
    if (!page.next) return
  }
}

function listVersions(call: StoreCall, { prefix, only }: DeleteRange, after: { key: string; versionId?: string }) {
  const page = call.engine.listVersions(call.bucket, {
    prefix,
    delimiter: '',
    after: after.key,
    limit: BATCH,
    ...(after.versionId === undefined ? {} : { versionMarker: after.versionId }),
  })
  const versions = page.entries.flatMap((entry): DeleteVersion[] =>
    'object' in entry && (only === undefined || entry.object.key === only)
      ? [{ key: entry.object.key, versionId: entry.object.versionId }]
      : [],
  )
  // The versions of this key are listed before longer keys with the same prefix.
  const passed = only !== undefined && versions.length < page.entries.length
  return { versions, next: page.truncated && !passed ? page.next : undefined }
}
