import { reason } from '@stowage/contract'
import { policyCalls } from '@stowage/contract/policies/policies'
import { policyFromJson } from '@stowage/iam-policy'
import { type Madmin, MadminError } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import pMap from 'p-map'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { serve } from '../../lib/http/serve.ts'
import { formatPolicyText, parsePolicyText } from '../../lib/permissions/policy-text.ts'
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

  serve(app, policyCalls.createPolicy, async ({ body: { name, policy } }, { madmin, session, noteBefore }) => {
    const document = parsePolicyText(policy, session.capabilities)
    await noteBefore(async () => await readPolicy(madmin, name))
    await madmin.addPolicy(name, document)
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

  serve(app, policyCalls.setPolicies, async ({ body: { name, entityType, entityName } }, { madmin, noteBefore }) => {
    await noteBefore(async () => ({ name: await attachedPolicies(madmin, { entityType, entityName }) }))
    await setPolicies(madmin, { entityType, entityName }, name)
  })

  serve(app, policyCalls.setNamedPolicies, async ({ params, body }, { madmin, noteBefore }) => {
    await noteBefore(async () => ({ policies: await attachedPolicies(madmin, body) }))
    const names = params.policies.split(',').map((name) => name.trim())
    await setPolicies(
      madmin,
      body,
      names.filter((name) => name !== ''),
    )
  })
}

async function readPolicy(madmin: Madmin, name: string) {
  const { policy } = await madmin.getPolicy(name)
  return { name, policy: formatPolicyText(policyFromJson(policy)) }
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
