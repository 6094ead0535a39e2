import { reason } from '@stowage/contract'
import { bucketCopyCalls, type CopiedSetting } from '@stowage/contract/buckets/copy-settings'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { toStorageError } from '../../lib/errors/storage-errors.ts'
import { type SessionContext, serve } from '../../lib/http/serve.ts'
import { readBucketPolicyText } from '../../lib/permissions/bucket-policies.ts'
import type { S3Api } from '../../lib/storage/s3-api.ts'
import { settingQueue } from '../../lib/storage/setting-conflicts.ts'
import { readEventConfiguration, writeEventConfiguration } from './bucket-events.ts'
import { refuseLockout, writeBucketPolicy } from './bucket-policy.ts'
import { readCors, writeCors } from './cors.ts'
import { readEncryption, writeEncryption } from './encryption.ts'
import { readLifecycleRules, writeLifecycleRules } from './lifecycle.ts'
import { readLockConfiguration, retentionFromLock, writeDefaultRetention } from './retention.ts'
import { readBucketTags, writeBucketTags } from './tags.ts'
import { readVersioning, writeVersioning } from './versioning.ts'

interface SettingCopy {
  from: string
  to: string
}

export function bucketCopyRoutes(app: FastifyInstance, changed: () => void): void {
  serve(app, bucketCopyCalls.copyBucketSetting, async ({ params, body: { from, setting } }, context) => {
    await copySetting(setting, { from, to: params.bucket }, context)
    changed()
  })
}

/**
 * Replaces a setting of the bucket `to` by the one of the bucket `from`, with the caller's rights on both.
 * @throws HttpError 400 if both are the same bucket, 404 if the source does not exist, 409 for a retention without object
 *   locking; errors of the storage server
 */
export async function copySetting(setting: CopiedSetting, copy: SettingCopy, context: SessionContext): Promise<void> {
  if (copy.from === copy.to) throw new HttpError(400, reason('copy-from-itself'), { field: 'from' })
  await requireSourceBucket(context.s3, copy.from)
  await settingQueue.run(copy.to, async () => await settingCopiers[setting](copy, context))
}

/** MinIO returns the same answer about tags and object lock for a missing bucket as for a bucket without them. */
async function requireSourceBucket(s3: S3Api, Bucket: string): Promise<void> {
  try {
    await s3.headBucket({ Bucket })
  } catch (error) {
    const status = toStorageError(error)?.status
    if (status === 404) throw new HttpError(404, reason('copy-from-missing'), { field: 'from', cause: error })
    // Without the right to list the bucket, let the call that reads the setting decide.
    if (status !== 403) throw error
  }
}

const settingCopiers: Readonly<Record<CopiedSetting, (copy: SettingCopy, context: SessionContext) => Promise<void>>> = {
  async versioning({ from, to }, { s3Stream }) {
    const [wanted, present] = await Promise.all([readVersioning(s3Stream, from), readVersioning(s3Stream, to)])
    // Versioning cannot be removed, only suspended.
    if (wanted.status === 'Enabled') await writeVersioning(s3Stream, to, wanted)
    else if (present.status === 'Enabled') await writeVersioning(s3Stream, to, { ...wanted, status: 'Suspended' })
  },

  async retention({ from, to }, { s3 }) {
    const [lock, own] = await Promise.all([readLockConfiguration(s3, from), readLockConfiguration(s3, to)])
    const retention = retentionFromLock(lock)
    if (own?.ObjectLockEnabled === 'Enabled') await writeDefaultRetention(s3, to, retention)
    else if (retention) throw new HttpError(409, reason('copy-needs-locking'))
  },

  async quota({ from, to }, { madmin }) {
    await madmin.setBucketQuota(to, await madmin.getBucketQuota(from))
  },

  async encryption({ from, to }, { s3 }) {
    await writeEncryption(s3, to, await readEncryption(s3, from))
  },

  async tags({ from, to }, { s3 }) {
    await writeBucketTags(s3, to, await readBucketTags(s3, from))
  },

  async cors({ from, to }, { s3 }) {
    await writeCors(s3, to, await readCors(s3, from))
  },

  async lifecycle({ from, to }, { s3Stream }) {
    await writeLifecycleRules(s3Stream, to, (await readLifecycleRules(s3Stream, from)) ?? [])
  },

  async events({ from, to }, { s3 }) {
    await writeEventConfiguration(s3, to, await readEventConfiguration(s3, from))
  },

  async policy({ from, to }, context) {
    const policy = renameBucketInPolicy(await readBucketPolicyText(from, context), from, to)
    if (policy !== '') await refuseLockout(to, policy, context)
    await writeBucketPolicy(to, policy, context)
  },
}

/** Returns a bucket policy in which the ARNs of one bucket and its objects are replaced by those of another. */
export function renameBucketInPolicy(policy: string, from: string, to: string): string {
  if (policy === '') return ''
  const old = `arn:aws:s3:::${from}`
  const arn = (value: unknown) => {
    if (typeof value !== 'string') return value
    return value === old || value.startsWith(`${old}/`) ? `arn:aws:s3:::${to}${value.slice(old.length)}` : value
  }
  return JSON.stringify(JSON.parse(policy), (key, value: unknown) => {
    if (!/^(Not)?Resource$/.test(key)) return value
    return Array.isArray(value) ? value.map(arn) : arn(value)
  })
}
