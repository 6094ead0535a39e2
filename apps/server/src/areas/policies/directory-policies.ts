import { policyCalls } from '@stowage/contract/policies/policies'
import { MadminError } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../lib/http/serve.ts'

/** Policies of users and groups that are kept in the storage server's directory (LDAP). */
export function directoryPolicyRoutes(app: FastifyInstance): void {
  serve(app, policyCalls.listDirectoryPolicies, async (_input, { madmin }) => {
    const { policies } = await madmin.listPolicyEntities({ provider: 'ldap' })
    const found = new Map<string, { entityType: 'user' | 'group'; name: string; policies: string[] }>()
    for (const { policy, users, groups } of policies) {
      const holders = [
        ...users.map((name) => ({ entityType: 'user' as const, name })),
        ...groups.map((name) => ({ entityType: 'group' as const, name })),
      ]
      for (const { entityType, name } of holders) {
        const key = `${entityType} ${name}`
        const known = found.get(key) ?? { entityType, name, policies: [] }
        known.policies.push(policy)
        found.set(key, known)
      }
    }
    return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  })

  serve(app, policyCalls.changeDirectoryPolicies, async ({ body }, { madmin }) => {
    const { entityType, entityName, attach, detach } = body
    const entity = entityType === 'user' ? { user: entityName } : { group: entityName }
    // First what is added: if the second call fails, nobody has fewer rights than before.
    if (attach.length > 0) {
      await ignoreAlreadyApplied(madmin.attachPolicies({ provider: 'ldap', ...entity, policies: attach }))
    }
    if (detach.length > 0) {
      await ignoreAlreadyApplied(madmin.detachPolicies({ provider: 'ldap', ...entity, policies: detach }))
    }
  })
}

/** A change that is already in effect is what was asked for. */
async function ignoreAlreadyApplied(change: Promise<unknown>): Promise<void> {
  await change.catch((error: unknown) => {
    if (!(error instanceof MadminError && error.code === 'XMinioAdminPolicyChangeAlreadyApplied')) throw error
  })
}
