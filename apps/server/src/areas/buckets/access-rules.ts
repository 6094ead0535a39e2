import { reason } from '@stowage/contract'
import { accessRuleCalls, type RuleAccess } from '@stowage/contract/buckets/access-rules'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/http/errors.ts'
import { type SessionContext, serve } from '../../lib/http/serve.ts'
import { type JudgedAccess, judgeAccess } from './access.ts'
import { readPolicy, writePolicy } from './policy.ts'
import { deleteRule, listRules, setRule } from './rule-statements.ts'
import { requireSame, settingTurns } from './unchanged.ts'

export function accessRuleRoutes(app: FastifyInstance): void {
  serve(app, accessRuleCalls.listAccessRules, async ({ params: { bucket } }, context) => ({
    accessRules: listRules(await readPolicy(bucket, context), bucket),
  }))

  serve(app, accessRuleCalls.setAccessRule, async ({ params: { bucket }, body }, context) => {
    const { prefix, access, before } = body
    await settingTurns.run(bucket, async () => {
      const policy = await readPolicy(bucket, context)
      // A new rule needs a prefix. The rule of a public bucket has an empty one, and can be changed.
      if (prefix === '' && accessOf(policy, bucket, prefix) === undefined)
        throw new HttpError(400, reason('required'), { field: 'prefix' })
      const wanted = { policy: setRule(policy, bucket, prefix, access), prefix, access }
      requireRule(bucket, wanted)
      requireSame(before, accessOf(policy, bucket, prefix) ?? null)
      await writePolicy(bucket, wanted.policy, context)
    })
    return true as const
  })

  serve(app, accessRuleCalls.deleteAccessRule, async ({ params: { bucket }, body: { prefix } }, context) => {
    await settingTurns.run(bucket, async () => {
      const policy = await readPolicy(bucket, context)
      if (accessOf(policy, bucket, prefix) === undefined) return
      const wanted = { policy: deleteRule(policy, bucket, prefix), prefix }
      requireRule(bucket, wanted)
      await writePolicy(bucket, wanted.policy, context)
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
export async function setAccess(
  bucket: string,
  access: 'PRIVATE' | 'PUBLIC_READ' | 'PUBLIC',
  before: JudgedAccess | undefined,
  context: SessionContext,
): Promise<string> {
  return await settingTurns.run(bucket, async () => {
    const present = await readPolicy(bucket, context)
    const wanted = access === 'PRIVATE' ? undefined : access === 'PUBLIC' ? 'readwrite' : 'readonly'
    const policy = wanted ? setRule(present, bucket, '', wanted) : deleteRule(present, bucket, '')
    requireRule(bucket, { policy, prefix: '', ...(wanted ? { access: wanted } : {}) })
    requireSame(before, judgeAccess(present, bucket))
    await writePolicy(bucket, policy, context)
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
function requireRule(bucket: string, { policy, prefix, access }: Change): void {
  if (accessOf(policy, bucket, prefix) !== access) {
    throw new HttpError(409, reason('rule-of-other-statement'), { field: 'prefix' })
  }
}

function accessOf(policy: string, bucket: string, prefix: string) {
  return listRules(policy, bucket).find((rule) => rule.prefix === prefix)?.access
}
