import { reason } from '@stowage/contract'
import { bucketPolicyCalls } from '@stowage/contract/buckets/policy'
import { bucketPolicyFromJson, compileBucketPolicy, evaluateCapability, parseBucketPolicy } from '@stowage/iam-policy'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { type SessionContext, serve } from '../../lib/http/serve.ts'
import { readBucketPolicyText } from '../../lib/permissions/bucket-policies.ts'
import { callerFromAccountInfo, detectPolicyDialect } from '../../lib/permissions/caller-permissions.ts'
import { settingQueue } from '../../lib/storage/setting-conflicts.ts'

export function bucketPolicyRoutes(app: FastifyInstance): void {
  serve(app, bucketPolicyCalls.getBucketPolicy, async ({ params }, context) => ({
    policy: await readBucketPolicyText(params.bucket, context),
  }))

  serve(app, bucketPolicyCalls.setBucketPolicy, async ({ params: { bucket }, body }, context) => {
    const policy = body.policy.trim()
    if (policy !== '' && !body.force) await refuseLockout(bucket, policy, context)
    await settingQueue.run(bucket, async () => {
      if (body.before !== undefined && body.before !== (await readBucketPolicyText(bucket, context))) {
        throw new HttpError(409, reason('policy-changed'))
      }
      await writeBucketPolicy(bucket, policy, context)
    })
  })
}

/** @param policy as JSON; empty deletes it */
export async function writeBucketPolicy(bucket: string, policy: string, { s3 }: SessionContext): Promise<void> {
  if (policy === '') await s3.deleteBucketPolicy({ Bucket: bucket })
  else await s3.putBucketPolicy({ Bucket: bucket, Policy: policy })
}

/** @throws HttpError 409 if the new policy would deny the caller the right to change it */
export async function refuseLockout(bucket: string, text: string, { madmin, session }: SessionContext): Promise<void> {
  const dialect = detectPolicyDialect(session.capabilities)
  // Only in this dialect do bucket policies apply to users. A malformed policy is left to the storage server, which explains
  // the error.
  if (dialect !== 'stowage' || parseBucketPolicy(text, bucket, { dialect }).errors.length > 0) return
  const { access } = callerFromAccountInfo(await madmin.accountInfo({ buckets: false }), dialect)
  const bucketPolicy = compileBucketPolicy(bucketPolicyFromJson(JSON.parse(text)))
  const locked = (['s3:GetBucketPolicy', 's3:PutBucketPolicy', 's3:DeleteBucketPolicy'] as const).find(
    (action) =>
      evaluateCapability(access, { action, bucket }).decision !== 'deny' &&
      evaluateCapability(access, { action, bucket, bucketPolicy }).decision === 'deny',
  )
  if (locked) throw new HttpError(409, reason('policy-locks-out'), { detail: locked })
}
