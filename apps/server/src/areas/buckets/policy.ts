import { reason } from '@stowage/contract'
import { bucketPolicyCalls } from '@stowage/contract/buckets/policy'
import { bucketPolicyFromJson, can, compileBucketPolicy, parseBucketPolicy } from '@stowage/iam-policy'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/http/errors.ts'
import { type SessionContext, serve } from '../../lib/http/serve.ts'
import { storageErrorOf } from '../../lib/storage/storage-errors.ts'
import { Turns } from '../../lib/turns.ts'
import { callerFromAccountInfo, policyDialectOf } from '../session/permissions.ts'

/** Changes of bucket policies, by bucket. */
export const policyTurns = new Turns()

export function bucketPolicyRoutes(app: FastifyInstance): void {
  serve(app, bucketPolicyCalls.getBucketPolicy, async ({ params }, context) => ({
    policy: await readPolicy(params.bucket, context),
  }))

  serve(app, bucketPolicyCalls.setBucketPolicy, async ({ params: { bucket }, body }, context) => {
    const policy = body.policy.trim()
    if (policy !== '' && !body.force) await refuseLockout(bucket, policy, context)
    await policyTurns.run(bucket, async () => {
      if (body.before !== undefined && body.before !== (await readPolicy(bucket, context))) {
        throw new HttpError(409, reason('policy-changed'))
      }
      await writePolicy(bucket, policy, context)
    })
  })
}

/** The policy of a bucket as JSON, empty if it has none. */
export async function readPolicy(bucket: string, { s3Stream }: SessionContext): Promise<string> {
  try {
    return await s3Stream.text({ method: 'GET', bucket, query: { policy: '' } })
  } catch (error) {
    if (storageErrorOf(error)?.code === 'NoSuchBucketPolicy') return ''
    throw error
  }
}

/** @param policy as JSON; empty removes it */
export async function writePolicy(bucket: string, policy: string, { s3 }: SessionContext): Promise<void> {
  if (policy === '') await s3.deleteBucketPolicy({ Bucket: bucket })
  else await s3.putBucketPolicy({ Bucket: bucket, Policy: policy })
}

/** @throws HttpError 409 when the new policy would take the right to change it from the caller */
export async function refuseLockout(bucket: string, text: string, { madmin, session }: SessionContext): Promise<void> {
  const dialect = policyDialectOf(session.capabilities)
  // Only there do policies of buckets decide about users; a text that is wrong is the storage server's to explain.
  if (dialect !== 'stowage' || parseBucketPolicy(text, bucket, { dialect }).errors.length > 0) return
  const { name, policy } = await madmin.accountInfo()
  const access = { ...callerFromAccountInfo(policy, dialect).access, principal: name }
  const bucketPolicy = compileBucketPolicy(bucketPolicyFromJson(JSON.parse(text)))
  const locked = ['s3:GetBucketPolicy', 's3:PutBucketPolicy', 's3:DeleteBucketPolicy'].find(
    (action) =>
      can(access, { action, bucket }).decision !== 'deny' &&
      can(access, { action, bucket, bucketPolicy }).decision === 'deny',
  )
  if (locked) throw new HttpError(409, reason('policy-locks-out'), { detail: locked })
}
