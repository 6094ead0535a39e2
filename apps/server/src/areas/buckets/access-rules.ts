import { reason } from '@stowage/contract'
import { accessRuleCalls, type RuleAccess } from '@stowage/contract/buckets/access-rules'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/http/errors.ts'
import { type SessionContext, serve } from '../../lib/http/serve.ts'
import { policyTurns, readPolicy, writePolicy } from './policy.ts'
import { deleteRule, listRules, setRule } from './rule-statements.ts'

export function accessRuleRoutes(app: FastifyInstance): void {
  serve(app, accessRuleCalls.listAccessRules, async ({ params: { bucket } }, context) => ({
    accessRules: listRules(await readPolicy(bucket, context), bucket),
  }))

  serve(app, accessRuleCalls.setAccessRule, async ({ params: { bucket }, body: { prefix, access } }, context) => {
    await policyTurns.run(bucket, async () => {
      const policy = await readPolicy(bucket, context)
      // A new rule needs a prefix. The rule of a public bucket has an empty one, and can be changed.
      if (prefix === '' && accessOf(policy, bucket, prefix) === undefined)
        throw new HttpError(400, reason('required'), { field: 'prefix' })
      await change(bucket, { policy: setRule(policy, bucket, prefix, access), prefix, access }, context)
    })
    return true as const
  })

  serve(app, accessRuleCalls.deleteAccessRule, async ({ params: { bucket }, body: { prefix } }, context) => {
    await policyTurns.run(bucket, async () => {
      const policy = await readPolicy(bucket, context)
      if (accessOf(policy, bucket, prefix) === undefined) return
      await change(bucket, { policy: deleteRule(policy, bucket, prefix), prefix }, context)
    })
    return true as const
  })
}

/**
 * Opens or closes a bucket as a whole: sets or deletes the rule of the empty prefix. Keeps other rules and statements.
 * @returns the new policy as JSON, empty if nothing is left
 * @throws HttpError 409 if a statement outside of the rules gives the whole bucket other access
 */
export async function setAccess(
  bucket: string,
  access: 'PRIVATE' | 'PUBLIC_READ' | 'PUBLIC',
  context: SessionContext,
): Promise<string> {
  return await policyTurns.run(bucket, async () => {
    const before = await readPolicy(bucket, context)
    if (access === 'PRIVATE') {
      const policy = deleteRule(before, bucket, '')
      await change(bucket, { policy, prefix: '' }, context)
      return policy
    }
    const wanted = access === 'PUBLIC' ? 'readwrite' : 'readonly'
    const policy = setRule(before, bucket, '', wanted)
    await change(bucket, { policy, prefix: '', access: wanted }, context)
    return policy
  })
}

interface Change {
  /** The new policy; empty if nothing is left. */
  policy: string
  prefix: string
  /** Access of the prefix after the change; absent if it has no rule. */
  access?: RuleAccess
}

/** @throws HttpError 409 if a statement outside of the rules gives the prefix other access */
async function change(bucket: string, { policy, prefix, access }: Change, context: SessionContext) {
  if (accessOf(policy, bucket, prefix) !== access) {
    throw new HttpError(409, reason('rule-of-other-statement'), { field: 'prefix' })
  }
  await writePolicy(bucket, policy, context)
}

function accessOf(policy: string, bucket: string, prefix: string) {
  return listRules(policy, bucket).find((rule) => rule.prefix === prefix)?.access
}
