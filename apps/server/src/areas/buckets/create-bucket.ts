import { reason } from '@stowage/contract'
import type { bucketCalls } from '@stowage/contract/buckets/buckets'
import type { z } from 'zod'
import { errorAnswer, HttpError } from '../../lib/errors/http-errors.ts'
import type { SessionContext } from '../../lib/http/serve.ts'
import { copySetting } from './copy-settings.ts'
import { readLockConfiguration, writeDefaultRetention } from './retention.ts'

type NewBucket = z.output<typeof bucketCalls.createBucket.body>

/**
 * Creates a bucket with its settings. If a setting fails, the bucket is deleted again.
 * @throws the error of the first step that fails; HttpError with its status if the bucket could not be deleted
 */
export async function createBucket(wanted: NewBucket, context: SessionContext): Promise<void> {
  const { s3 } = context
  const Bucket = wanted.name
  // A default retention needs object locking, which can only be enabled now and enables versioning too.
  const locking = wanted.locking || wanted.retention !== undefined || (await copiesLocking(wanted, context))
  await s3.createBucket({ Bucket, ...(locking ? { ObjectLockEnabledForBucket: true } : {}) })
  try {
    await applySettings(wanted, locking, context)
  } catch (error) {
    // Detached: the settings may have failed because the caller disconnected.
    await context
      .detached()
      .s3.deleteBucket({ Bucket })
      .catch((left: unknown) => {
        context.log.error({ err: left, bucket: Bucket }, 'could not remove a new bucket after its settings failed')
        const { status, body } = errorAnswer(error, '')
        throw new HttpError(status, reason('bucket-left-behind', { bucket: Bucket }), {
          detail: body.detailedMessage,
          cause: error,
        })
      })
    throw error
  }
}

async function copiesLocking({ copy }: NewBucket, { s3 }: SessionContext): Promise<boolean> {
  if (!copy?.settings.includes('retention')) return false
  return (await readLockConfiguration(s3, copy.from))?.ObjectLockEnabled === 'Enabled'
}

/** Applies the settings. Those in the request take precedence over copied ones. */
async function applySettings(wanted: NewBucket, locking: boolean, context: SessionContext): Promise<void> {
  const { s3, madmin } = context
  const { name: Bucket, copy, quota } = wanted
  const copied = new Set(copy?.settings)
  // Object locking requires versioning of all objects.
  if (locking) copied.delete('versioning')
  // In sequence: lifecycle rules may need the versioning that was copied before.
  for (const setting of copied) await copySetting(setting, { from: copy?.from ?? '', to: Bucket }, context)
  if (wanted.versioning || wanted.retention)
    await s3.putBucketVersioning({ Bucket, VersioningConfiguration: { Status: 'Enabled' } })
  if (quota?.enabled) await madmin.setBucketQuota(Bucket, { size: quota.amount, type: quota.quota_type })
  if (wanted.retention) await writeDefaultRetention(s3, Bucket, wanted.retention)
}
