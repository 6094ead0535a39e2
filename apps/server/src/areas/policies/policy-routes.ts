import { reason } from '@stowage/contract'
import { policyCalls } from '@stowage/contract/policies/policies'
import { policyFromJson } from '@stowage/iam-policy'
import { type Madmin, MadminError } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import pMap from 'p-map'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { serve } from '../../lib/http/serve.ts'
import { formatPolicyText, parsePolicyText } from '../../lib/permissions/policy-text.ts'
import {
  requireNewThing,
  requireSameFields,
  requireSameSetting,
  settingQueue,
} from '../../lib/storage/setting-conflicts.ts'
import { directoryPolicyRoutes } from './directory-policies.ts'
import { explainAccessRoutes } from './explain-access.ts'
import { iamArchiveRoutes } from './iam-archive.ts'

/** Groups that are read at the same time if the server cannot list the holders of a policy. */
const CONCURRENCY = 8

export function policyRoutes(app: FastifyInstance): void {
  explainAccessRoutes(app)
  iamArchiveRoutes(app)
  directoryPolicyRoutes(app)

  serve(app, policyCalls.listPolicies, async (_input, { madmin }) => {
    const policies = Object.entries(await madmin.listPolicies())
      .map(([name, document]) => ({ name, policy: formatPolicyText(policyFromJson(document)) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    return { policies, total: policies.length }
  })

  serve(app, policyCalls.createPolicy, async ({ body }, { madmin, session, noteBefore }) => {
    const { name, policy, before, create_only: createOnly } = body
    const document = parsePolicyText(policy, session.capabilities)
    await settingQueue.run(`policy/${name}`, async () => {
      await requireNewThing(createOnly, async () => await policyExists(madmin, name), {
        why: reason('policy-exists', { policy: name }),
        field: 'name',
        action: 'admin:GetPolicy',
      })
      if (before !== undefined) {
        const present = (await readPolicy(madmin, name)).policy
        // A text that is no policy cannot be what the caller has read.
        requireSameSetting(samePolicyText(before, present) ? present : before, present)
      }
      await noteBefore(async () => await readPolicy(madmin, name))
      await madmin.addPolicy(name, document)
    })
    return { name, policy: formatPolicyText(document) }
  })

  serve(app, policyCalls.getPolicy, async ({ query: { name } }, { madmin }) => {
    return await readPolicy(madmin, name)
  })

  serve(app, policyCalls.deletePolicy, async ({ query: { name } }, { madmin, noteBefore }) => {
    await noteBefore(async () => await readPolicy(madmin, name))
    await madmin.removePolicy(name)
  })

  serve(app, policyCalls.listPolicyUsers, async ({ params: { policy } }, { madmin }) => {
    const users = await madmin.listUsers()
    return users.filter(({ policies }) => policies.includes(policy)).map(({ accessKey }) => accessKey)
  })

  serve(app, policyCalls.listPolicyGroups, async ({ params: { policy } }, { madmin }) => {
    // Listing groups checks the caller's right; the server lists holders of policies to anyone.
    const [groups, holders] = await Promise.all([madmin.listGroups(), groupsWith(madmin, policy)])
    if (holders) return groups.filter((group) => holders.has(group))
    const all = await pMap(groups, (group) => madmin.getGroup(group), { concurrency: CONCURRENCY })
    return all.filter(({ policies }) => policies.includes(policy)).map(({ name }) => name)
  })

  serve(app, policyCalls.setPolicies, async ({ body: { name, before, ...holder } }, { madmin, noteBefore }) => {
    await settingQueue.run(`${holder.entityType}/${holder.entityName}`, async () => {
      await requireSamePolicies(madmin, holder, before)
      await noteBefore(async () => ({ name: await attachedPolicies(madmin, holder) }))
      await setPolicies(madmin, holder, name)
    })
  })

  serve(app, policyCalls.setNamedPolicies, async ({ params, body }, { madmin, noteBefore }) => {
    const { before, ...holder } = body
    const names = params.policies.split(',').map((name) => name.trim())
    await settingQueue.run(`${holder.entityType}/${holder.entityName}`, async () => {
      await requireSamePolicies(madmin, holder, before)
      await noteBefore(async () => ({ policies: await attachedPolicies(madmin, holder) }))
      await setPolicies(
        madmin,
        holder,
        names.filter((name) => name !== ''),
      )
    })
  })
}

async function readPolicy(madmin: Madmin, name: string) {
  const { policy } = await madmin.getPolicy(name)
  return { name, policy: formatPolicyText(policyFromJson(policy)) }
}

async function policyExists(madmin: Madmin, name: string): Promise<boolean> {
  try {
    await madmin.getPolicy(name)
    return true
  } catch (error) {
    if (error instanceof MadminError && error.code === 'XMinioAdminNoSuchPolicy') return false
    throw error
  }
}

/** Whether two policy texts are the same document, however they are indented. */
function samePolicyText(a: string, b: string): boolean {
  try {
    const [one, other] = [a, b].map((text) => formatPolicyText(policyFromJson(JSON.parse(text))))
    return one === other
  } catch {
    return a === b
  }
}

/** @throws HttpError 409 */
async function requireSamePolicies(
  madmin: Madmin,
  holder: PolicyHolder,
  before: readonly string[] | undefined,
): Promise<void> {
  if (before !== undefined) requireSameFields({ before }, { before: await attachedPolicies(madmin, holder) })
}

interface PolicyHolder {
  entityType: 'user' | 'group'
  entityName: string
}

async function attachedPolicies(madmin: Madmin, { entityType, entityName }: PolicyHolder): Promise<readonly string[]> {
  const { policies } = await (entityType === 'user' ? madmin.getUser(entityName) : madmin.getGroup(entityName))
  return policies
}

/** Returns the groups that a policy is attached to; undefined if the server cannot list them (before December 2022). */
async function groupsWith(madmin: Madmin, policy: string): Promise<Set<string> | undefined> {
  try {
    const { policies } = await madmin.listPolicyEntities({ policies: [policy] })
    return new Set(policies.flatMap(({ groups }) => groups))
  } catch (error) {
    if (error instanceof MadminError && error.unsupported) return undefined
    throw error
  }
}

/** @throws HttpError 404 if the user does not exist or is disabled */
export async function setPolicies(
  madmin: Madmin,
  { entityType, entityName }: PolicyHolder,
  policies: readonly string[],
): Promise<void> {
  try {
    await madmin.setPolicyMapping({
      policies,
      ...(entityType === 'user' ? { user: entityName } : { group: entityName }),
    })
  } catch (error) {
    if (entityType !== 'user' || !(error instanceof MadminError) || error.code !== 'XMinioAdminNoSuchUser') throw error
    throw new HttpError(404, reason('user-not-found-or-disabled'), { cause: error })
  }
}
