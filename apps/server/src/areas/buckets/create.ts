import type { bucketCalls } from '@stowage/contract/buckets/buckets'
import type { z } from 'zod'
import type { SessionContext } from '../../lib/http/serve.ts'

type NewBucket = z.output<typeof bucketCalls.createBucket.body>

/**
 * Creates a bucket with its settings. When a setting is refused, the bucket goes again, so that no half-made one stays.
 * @throws whatever the server refuses, of the first step that fails
 */
export async function createBucket(wanted: NewBucket, context: SessionContext): Promise<void> {
  const { control, signal } = context
  const { commands, send } = await control()
  const Bucket = wanted.name
  // A default retention needs object locking, which can only be switched on now; locking brings versioning with it.
  const locking = wanted.locking || wanted.retention !== undefined
  await send(new commands.CreateBucketCommand({ Bucket, ...(locking ? { ObjectLockEnabledForBucket: true } : {}) }), {
    abortSignal: signal,
  })
  try {
    await applySettings(wanted, context)
  } catch (error) {
    // Not with the caller's signal: it may be the caller's leaving that ended the settings.
    await send(new commands.DeleteBucketCommand({ Bucket })).catch((left: unknown) => {
      context.log.error({ err: left, bucket: Bucket }, 'a bucket whose settings failed could not be removed again')
    })
    throw error
  }
}

async function applySettings(wanted: NewBucket, { control, madmin, signal }: SessionContext): Promise<void> {
  const { commands, send } = await control()
  const Bucket = wanted.name
  if (wanted.versioning || wanted.retention)
    await send(new commands.PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }), {
      abortSignal: signal,
    })
  if (wanted.quota?.enabled)
    await madmin.setBucketQuota(Bucket, { size: wanted.quota.amount, type: wanted.quota.quota_type })
  if (wanted.retention) {
    const { mode, unit, validity } = wanted.retention
    const DefaultRetention = {
      Mode: mode === 'governance' ? ('GOVERNANCE' as const) : ('COMPLIANCE' as const),
      ...(unit === 'days' ? { Days: validity } : { Years: validity }),
    }
    await send(
      new commands.PutObjectLockConfigurationCommand({
        Bucket,
        ObjectLockConfiguration: { ObjectLockEnabled: 'Enabled', Rule: { DefaultRetention } },
      }),
      { abortSignal: signal },
    )
  }
}
