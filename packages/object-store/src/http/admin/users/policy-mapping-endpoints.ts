import type { AdminOperationName } from '@stowage/iam-policy'
import { z } from 'zod'
import { ldapNotEnabled } from '../../../iam/ldap/ldap-directory.ts'
import {
  attachPolicies,
  detachPolicies,
  holderMappings,
  type PolicyHolder,
  setPolicies,
} from '../../../iam/policy-mappings.ts'
import { normalizeDn } from '../../../lib/distinguished-name.ts'
import { S3Error } from '../../../lib/errors.ts'
import type { StoreCall } from '../../call/call.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { queryParameter, readSealed, sendSealed, wireTime } from '../endpoint/payload.ts'

const Association = z.object({
  policies: z.array(z.string()).min(1),
  user: z.string().nullish(),
  group: z.string().nullish(),
})

export const adminPolicyMappingEndpoints: AdminEndpoint[] = [
  {
    name: 'SetPolicyForUserOrGroup',
    method: 'PUT',
    path: 'set-user-or-group-policy',
    query: ['policyName', 'userOrGroup', 'isGroup'],
    async handle(call) {
      const kind = queryParameter(call, 'isGroup') === 'true' ? 'group' : 'user'
      const policies = queryParameter(call, 'policyName')
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')
      await setPolicies(call.store.iam, { kind, name: queryParameter(call, 'userOrGroup') }, policies)
      call.empty(200)
    },
  },
  associationEndpoint('AttachPolicy', 'builtin', 'attach'),
  associationEndpoint('DetachPolicy', 'builtin', 'detach'),
  associationEndpoint('AttachLDAPPolicy', 'ldap', 'attach'),
  associationEndpoint('DetachLDAPPolicy', 'ldap', 'detach'),
]

function associationEndpoint(
  name: AdminOperationName,
  provider: 'builtin' | 'ldap',
  operation: 'attach' | 'detach',
): AdminEndpoint {
  return {
    name,
    method: 'POST',
    path: `idp/${provider}/policy/${operation}`,
    async handle(call) {
      requireOctets(call)
      const { policies, user, group } = await readSealed(call, Association)
      const named = parseHolder(user ?? '', group ?? '')
      const holder = provider === 'ldap' ? await findInDirectory(call, named, operation) : named
      const change = operation === 'attach' ? attachPolicies : detachPolicies
      const done = await change(call.store.iam, holder, policies)
      const changed = operation === 'attach' ? 'policiesAttached' : 'policiesDetached'
      await sendSealed(call, { [changed]: done.policies, updatedAt: wireTime(done.updatedAt) })
    },
  }
}

/**
 * Returns the user or group with the name in the spelling of the directory, so that other spellings match it.
 * @throws S3Error XMinioLDAPNotEnabled, XMinioAdminNoSuchUser, XMinioAdminNoSuchGroup, ServiceUnavailable
 */
async function findInDirectory(
  call: StoreCall,
  { kind, name }: PolicyHolder,
  operation: 'attach' | 'detach',
): Promise<PolicyHolder> {
  const { iam, ldap } = call.store
  if (!ldap.isConfigured) throw ldapNotEnabled()
  const ofUser = kind === 'user'
  const holder: Pick<PolicyHolder, 'kind'> = { kind: ofUser ? 'ldap-user' : 'ldap-group' }
  const known = normalizeDn(name)
  // An attached policy can be detached even if the directory has lost the entry or does not answer.
  if (operation === 'detach' && known !== undefined && holderMappings(iam, holder).has(known))
    return { ...holder, name: known }
  const found = ofUser ? await ldap.findUser(name) : await ldap.findGroup(name)
  if (found !== undefined) return { ...holder, name: found }
  throw new S3Error(
    ofUser ? 'XMinioAdminNoSuchUser' : 'XMinioAdminNoSuchGroup',
    `The directory has no ${ofUser ? 'user' : 'group'} of this name.`,
  )
}

function requireOctets(call: StoreCall): void {
  if (call.header('content-type') !== 'application/octet-stream') {
    throw new S3Error('BadRequest', 'The body must be of the type application/octet-stream.')
  }
}

function parseHolder(user: string, group: string): PolicyHolder {
  if ((user === '') === (group === '')) {
    throw new S3Error('XMinioAdminConfigBadJSON', 'Exactly one of user and group must be given.')
  }
  return user === '' ? { kind: 'group', name: group } : { kind: 'user', name: user }
}
