import type { bucketCalls } from '@stowage/contract/buckets/buckets'
import type { z } from 'zod'
import type { SessionContext } from '../../lib/http/serve.ts'

type NewBucket = z.output<typeof bucketCalls.createBucket.body>

/**
 * Creates a bucket with its settings. When a setting is refused, the bucket goes again, so that no half-made one stays.
 * @throws whatever the server refuses, of the first step that fails
 */
export async function createBucket(wanted: NewBucket, context: SessionContext): Promise<void> {
  const { s3 } = context
  const Bucket = wanted.name
  // A default retention needs object locking, which can only be switched on now; locking brings versioning with it.
  const locking = wanted.locking || wanted.retention !== undefined
  await s3.createBucket({ Bucket, ...(locking ? { ObjectLockEnabledForBucket: true } : {}) })
  try {
    await applySettings(wanted, context)
  } catch (error) {
    // Detached: the settings may have failed because the caller left.
    await context
      .detached()
      .s3.deleteBucket({ Bucket })
      .catch((left: unknown) => {
        context.log.error({ err: left, bucket: Bucket }, 'could not remove a bucket after its settings had failed')
      })
    throw error
  }
}

async function applySettings(wanted: NewBucket, { s3, madmin }: SessionContext): Promise<void> {
  const Bucket = wanted.name
  if (wanted.versioning || wanted.retention)
    await s3.putBucketVersioning({ Bucket, VersioningConfiguration: { Status: 'Enabled' } })
  if (wanted.quota?.enabled)
    await madmin.setBucketQuota(Bucket, { size: wanted.quota.amount, type: wanted.quota.quota_type })
  if (wanted.retention) {
    const { mode, unit, validity } = wanted.retention
    const DefaultRetention = {
      Mode: mode === 'governance' ? ('GOVERNANCE' as const) : ('COMPLIANCE' as const),
      ...(unit === 'days' ? { Days: validity } : { Years: validity }),
    }
    const ObjectLockConfiguration = { ObjectLockEnabled: 'Enabled' as const, Rule: { DefaultRetention } }
    await s3.putObjectLockConfiguration({ Bucket, ObjectLockConfiguration })
  }
}
