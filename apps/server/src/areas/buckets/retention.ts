import type { ObjectLockConfiguration } from '@aws-sdk/client-s3'
import { type Retention, retentionCalls } from '@stowage/contract/buckets/retention'
import type { FastifyInstance } from 'fastify'
import { toStorageError } from '../../lib/errors/storage-errors.ts'
import { serve } from '../../lib/http/serve.ts'
import type { S3Api } from '../../lib/storage/s3-api.ts'
import { requireSameSetting, requireUnchangedSetting, settingQueue } from '../../lib/storage/setting-conflicts.ts'

export function retentionRoutes(app: FastifyInstance): void {
  serve(app, retentionCalls.getObjectLocking, async ({ params: { bucket } }, { s3 }) => {
    const lock = await readLockConfiguration(s3, bucket)
    return { object_locking_enabled: lock?.ObjectLockEnabled === 'Enabled' }
  })

  serve(app, retentionCalls.getBucketRetention, async ({ params: { bucket } }, { s3 }) => {
    return retentionFromLock(await readLockConfiguration(s3, bucket)) ?? {}
  })

  serve(app, retentionCalls.setBucketRetention, async ({ params: { bucket }, body }, { s3 }) => {
    const { before, ...retention } = body
    await settingQueue.run(bucket, async () => {
      await requireUnchangedSetting(
        before,
        async () => retentionFromLock(await readLockConfiguration(s3, bucket)) ?? {},
      )
      await writeDefaultRetention(s3, bucket, retention)
    })
  })

  serve(app, retentionCalls.deleteBucketRetention, async ({ params: { bucket }, body: { before } }, { s3 }) => {
    await settingQueue.run(bucket, async () => {
      const stored = retentionFromLock(await readLockConfiguration(s3, bucket))
      requireSameSetting(before, stored ?? {})
      // On MinIO, the request would turn object locking on.
      if (stored) await writeDefaultRetention(s3, bucket, undefined)
    })
  })
}

/** @param retention undefined removes the default retention; object locking stays enabled */
export async function writeDefaultRetention(
  s3: S3Api,
  Bucket: string,
  retention: Retention | undefined,
): Promise<void> {
  const ObjectLockConfiguration = {
    ObjectLockEnabled: 'Enabled' as const,
    ...(retention && { Rule: { DefaultRetention: s3Retention(retention) } }),
  }
  await s3.putObjectLockConfiguration({ Bucket, ObjectLockConfiguration })
}

const s3Retention = ({ mode, unit, validity }: Retention) => ({
  Mode: mode === 'governance' ? ('GOVERNANCE' as const) : ('COMPLIANCE' as const),
  ...(unit === 'days' ? { Days: validity } : { Years: validity }),
})

/** Returns the default retention of a lock configuration; undefined without one. */
export function retentionFromLock(lock: ObjectLockConfiguration | undefined): Retention | undefined {
  const { Mode, Days, Years } = lock?.Rule?.DefaultRetention ?? {}
  const validity = Days ?? Years
  if (Mode === undefined || validity === undefined) return undefined
  return {
    mode: Mode === 'GOVERNANCE' ? 'governance' : 'compliance',
    unit: Days === undefined ? 'years' : 'days',
    validity,
  }
}

/** Returns the lock configuration of a bucket; undefined without object locking. */
export async function readLockConfiguration(s3: S3Api, Bucket: string) {
  try {
    return (await s3.getObjectLockConfiguration({ Bucket })).ObjectLockConfiguration
  } catch (error) {
    if (toStorageError(error)?.code === 'ObjectLockConfigurationNotFoundError') return undefined
    throw error
  }
}
