import { reason } from '@stowage/contract'
import { accessRuleCalls, type RuleAccess } from '@stowage/contract/buckets/access-rules'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { type SessionContext, serve } from '../../lib/http/serve.ts'
import { readBucketPolicyText } from '../../lib/permissions/bucket-policies.ts'
import { requireSameSetting, settingQueue } from '../../lib/storage/setting-conflicts.ts'
import { policyAccessRules, policyWithoutRule, policyWithRule } from './access-rule-statements.ts'
import { type BucketAccessSummary, summarizeAccess } from './bucket-access.ts'
import { writeBucketPolicy } from './bucket-policy.ts'

export function accessRuleRoutes(app: FastifyInstance): void {
  serve(app, accessRuleCalls.listAccessRules, async ({ params: { bucket } }, context) => ({
    accessRules: policyAccessRules(await readBucketPolicyText(bucket, context), bucket),
  }))

  serve(app, accessRuleCalls.setAccessRule, async ({ params: { bucket }, body }, context) => {
    const { prefix, access, before } = body
    await settingQueue.run(bucket, async () => {
      const policy = await readBucketPolicyText(bucket, context)
      // A new rule needs a prefix. The rule of a public bucket has an empty one, and can be changed.
      if (prefix === '' && ruleAccess(policy, bucket, prefix) === undefined)
        throw new HttpError(400, reason('required'), { field: 'prefix' })
      const wanted = { policy: policyWithRule(policy, bucket, prefix, access), prefix, access }
      requireRuleAccess(bucket, wanted)
      const present = ruleAccess(policy, bucket, prefix) ?? null
      if (before === null && present !== null)
        throw new HttpError(409, reason('rule-exists', { prefix, access: present }), { field: 'prefix' })
      requireSameSetting(before, present)
      await writeBucketPolicy(bucket, wanted.policy, context)
    })
    return true as const
  })

  serve(app, accessRuleCalls.deleteAccessRule, async ({ params: { bucket }, body: { prefix } }, context) => {
    await settingQueue.run(bucket, async () => {
      const policy = await readBucketPolicyText(bucket, context)
      if (ruleAccess(policy, bucket, prefix) === undefined) return
      const wanted = { policy: policyWithoutRule(policy, bucket, prefix), prefix }
      requireRuleAccess(bucket, wanted)
      await writeBucketPolicy(bucket, wanted.policy, context)
    })
    return true as const
  })
}

/**
 * Opens or closes a bucket as a whole: sets or deletes the rule of the empty prefix. Keeps other rules and statements.
 * @param before the access that the change is based on; undefined: any
 * @returns the new policy as JSON, empty if nothing is left
 * @throws HttpError 409 if the access was changed, or if a statement outside of the rules gives the whole bucket other access
 */
export async function setBucketAccess(
  bucket: string,
  access: 'PRIVATE' | 'PUBLIC_READ' | 'PUBLIC',
  before: BucketAccessSummary | undefined,
  context: SessionContext,
): Promise<string> {
  return await settingQueue.run(bucket, async () => {
    const present = await readBucketPolicyText(bucket, context)
    const wanted = access === 'PRIVATE' ? undefined : access === 'PUBLIC' ? 'readwrite' : 'readonly'
    const policy = wanted ? policyWithRule(present, bucket, '', wanted) : policyWithoutRule(present, bucket, '')
    requireRuleAccess(bucket, { policy, prefix: '', ...(wanted ? { access: wanted } : {}) })
    requireSameSetting(before, summarizeAccess(present, bucket))
    await writeBucketPolicy(bucket, policy, context)
    return policy
  })
}

interface RuleChange {
  /** The new policy; empty if nothing is left. */
  policy: string
  prefix: string
  /** Access of the prefix after the change; absent if it has no rule. */
  access?: RuleAccess
}

/** @throws HttpError 409 if a statement outside of the rules gives the prefix other access */
function requireRuleAccess(bucket: string, { policy, prefix, access }: RuleChange): void {
  if (ruleAccess(policy, bucket, prefix) !== access) {
    throw new HttpError(409, reason('rule-of-other-statement'), { field: 'prefix' })
  }
}

function ruleAccess(policy: string, bucket: string, prefix: string) {
  return policyAccessRules(policy, bucket).find((rule) => rule.prefix === prefix)?.access
}
