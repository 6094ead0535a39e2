import { bucketAuditCalls } from '@stowage/contract/buckets/bucket-audit'
import {
  ACTIONS,
  type CompiledPolicy,
  compilePolicy,
  evaluateCapability,
  matchesResource,
  type PolicyDocument,
  policyFromJson,
} from '@stowage/iam-policy'
import type { FastifyInstance } from 'fastify'
import pMap from 'p-map'
import { serve } from '../../lib/http/serve.ts'
import { detectPolicyDialect } from '../../lib/permissions/caller-permissions.ts'
import { formatPolicyText } from '../../lib/permissions/policy-text.ts'

/** Groups that are read at the same time. */
const CONCURRENCY = 8

/** All actions on a bucket or its objects. */
const ON_BUCKETS = [...ACTIONS.values()]
  .filter(({ family, level }) => family === 's3' && level !== 'account')
  .map(({ name }) => name)

export function bucketAuditRoutes(app: FastifyInstance): void {
  serve(app, bucketAuditCalls.listBucketPolicies, async ({ params: { bucket } }, { madmin }) => {
    const policies = Object.entries(await madmin.listPolicies())
      .map(([name, document]): [string, PolicyDocument] => [name, policyFromJson(document)])
      .filter(([, { Statement }]) => Statement.some((statement) => matchesResource(statement, bucket)))
      .map(([name, document]) => ({ name, policy: formatPolicyText(document) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    return { policies, total: policies.length }
  })

  serve(app, bucketAuditCalls.listBucketUsers, async ({ params: { bucket } }, { madmin, session }) => {
    const [users, documents, groupNames] = await Promise.all([
      madmin.listUsers(),
      madmin.listPolicies(),
      madmin.listGroups(),
    ])
    const groups = await pMap(groupNames, (group) => madmin.getGroup(group), { concurrency: CONCURRENCY })
    const ofGroups = new Map<string, string[]>()
    for (const { members, policies } of groups)
      for (const member of members) ofGroups.set(member, [...(ofGroups.get(member) ?? []), ...policies])
    const dialect = detectPolicyDialect(session.capabilities)
    const compiled = new Map(
      Object.entries(documents).map(([name, document]) => [name, compilePolicy(policyFromJson(document), { dialect })]),
    )
    // Many users have the same policies, so results are cached.
    const known = new Map<string, boolean>()
    const reaches = (names: readonly string[]) => {
      const key = JSON.stringify(names)
      const verdict = known.get(key) ?? allowsSomething(names, compiled, bucket)
      known.set(key, verdict)
      return verdict
    }
    return users
      .filter(({ accessKey, policies }) => {
        return reaches([...new Set([...policies, ...(ofGroups.get(accessKey) ?? [])])].sort())
      })
      .map(({ accessKey }) => accessKey)
  })
}

function allowsSomething(names: readonly string[], compiled: Map<string, CompiledPolicy>, bucket: string): boolean {
  const policies = names.flatMap((name) => compiled.get(name) ?? [])
  return (
    policies.length > 0 &&
    ON_BUCKETS.some((action) => evaluateCapability({ policies }, { action, bucket }).decision !== 'deny')
  )
}
