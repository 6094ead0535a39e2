import { z } from 'zod'
import { S3Error } from '../../errors.ts'
import { attachPolicies, detachPolicies, type Holder, setPolicies } from '../../iam/mapping.ts'
import type { Call } from '../call.ts'
import type { AdminEndpoint } from './endpoint.ts'
import { parameter, readSealed, sendSealed, wireTime } from './payload.ts'

const Association = z.object({
  policies: z.array(z.string()).min(1),
  user: z.string().nullish(),
  group: z.string().nullish(),
})

export const policyMappingEndpoints: AdminEndpoint[] = [
  {
    name: 'SetPolicyForUserOrGroup',
    method: 'PUT',
    path: 'set-user-or-group-policy',
    query: ['policyName', 'userOrGroup', 'isGroup'],
    actions: ['AttachUserOrGroupPolicy'],
    async handle(call) {
      const kind = parameter(call, 'isGroup') === 'true' ? 'group' : 'user'
      const policies = parameter(call, 'policyName')
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')
      await setPolicies(call.store.iam, { kind, name: parameter(call, 'userOrGroup') }, policies)
      call.empty(200)
    },
  },
  association('AttachPolicy', 'attach'),
  association('DetachPolicy', 'detach'),
]

function association(name: string, operation: 'attach' | 'detach'): AdminEndpoint {
  return {
    name,
    method: 'POST',
    path: `idp/builtin/policy/${operation}`,
    actions: ['UpdatePolicyAssociation', 'AttachUserOrGroupPolicy'],
    async handle(call) {
      requireOctets(call)
      const { policies, user, group } = await readSealed(call, Association)
      const holder = holderOf(user ?? '', group ?? '')
      const change = operation === 'attach' ? attachPolicies : detachPolicies
      const done = await change(call.store.iam, holder, policies)
      const changed = operation === 'attach' ? 'policiesAttached' : 'policiesDetached'
      await sendSealed(call, { [changed]: done.policies, updatedAt: wireTime(done.updatedAt) })
    },
  }
}

function requireOctets(call: Call): void {
  if (call.header('content-type') !== 'application/octet-stream') {
    throw new S3Error('BadRequest', 'The body must be of the type application/octet-stream.')
  }
}

function holderOf(user: string, group: string): Holder {
  if ((user === '') === (group === '')) {
    throw new S3Error('XMinioAdminConfigBadJSON', 'Exactly one of user and group must be given.')
  }
  return user === '' ? { kind: 'group', name: group } : { kind: 'user', name: user }
}
