import { holdersOfPolicies, policiesOfGroups, policiesOfUsers } from '../../iam/policy-entities.ts'
import type { AdminEndpoint } from './endpoint.ts'
import { sendSealed, wireTime } from './payload.ts'

/** Who has which policies: of the users, groups and policies in the query, or without any of all policies. */
export const policyEntities: AdminEndpoint = {
  name: 'ListPolicyMappingEntities',
  method: 'GET',
  path: 'idp/builtin/policy-entities',
  actions: ['ListGroups', 'ListUsers', 'ListUserPolicies'],
  async handle(call) {
    const { iam } = call.store
    const users = call.query.getAll('user')
    const groups = call.query.getAll('group')
    const policies = call.query.getAll('policy')
    const all = users.length + groups.length + policies.length === 0
    await sendSealed(call, {
      timestamp: wireTime(iam.now()),
      userMappings: policiesOfUsers(iam, users),
      groupMappings: policiesOfGroups(iam, groups),
      policyMappings: all || policies.length > 0 ? holdersOfPolicies(iam, policies) : [],
    })
  },
}
