import { ldapNotEnabled } from '../../../iam/ldap/ldap-directory.ts'
import {
  ldapMemberPolicies,
  listGroupPolicies,
  listLdapGroupPolicies,
  listLdapUserPolicies,
  listPolicyHolders,
  listUserPolicies,
} from '../../../iam/policy-entities.ts'
import { normalizeDn } from '../../../lib/distinguished-name.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { sendSealed, wireTime } from '../endpoint/payload.ts'

/** Returns the holders of policies: for the users, groups and policies in the query, or by default for all policies. */
export const policyEntitiesEndpoint: AdminEndpoint = {
  name: 'ListPolicyMappingEntities',
  method: 'GET',
  path: 'idp/builtin/policy-entities',
  async handle(call) {
    const { iam } = call.store
    const users = call.query.getAll('user')
    const groups = call.query.getAll('group')
    const policies = call.query.getAll('policy')
    const all = users.length + groups.length + policies.length === 0
    await sendSealed(call, {
      timestamp: wireTime(iam.now()),
      userMappings: listUserPolicies(iam, users),
      groupMappings: listGroupPolicies(iam, groups),
      policyMappings: all || policies.length > 0 ? listPolicyHolders(iam, policies) : [],
    })
  },
}

/**
 * Returns the same for users and groups of LDAP, by distinguished name. The directory is asked only if the query names a single
 * user. That user can also be given by the name of the sign-in.
 */
export const ldapPolicyEntitiesEndpoint: AdminEndpoint = {
  name: 'ListLDAPPolicyMappingEntities',
  method: 'GET',
  path: 'idp/ldap/policy-entities',
  async handle(call) {
    const { iam, ldap } = call.store
    if (!ldap.isConfigured) throw ldapNotEnabled()
    const named = (kind: string) => call.query.getAll(kind).map((name) => normalizeDn(name) ?? name)
    const [users, groups] = [named('user'), named('group')]
    const policies = call.query.getAll('policy')
    const all = users.length + groups.length + policies.length === 0
    const [user] = users
    // The groups are left out if the directory does not answer, as for several users.
    const member =
      user !== undefined && users.length === 1 ? await ldap.findMember(user).catch(() => undefined) : undefined
    await sendSealed(call, {
      timestamp: wireTime(iam.now()),
      userMappings: member ? [ldapMemberPolicies(iam, member)] : listLdapUserPolicies(iam, users),
      groupMappings: listLdapGroupPolicies(iam, groups),
      policyMappings: all || policies.length > 0 ? listPolicyHolders(iam, policies, 'directory') : [],
    })
  },
}
