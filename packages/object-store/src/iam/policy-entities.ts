import type { IamCollection } from './collection.ts'
import type { Iam } from './iam.ts'
import type { MappingRecord } from './iam-records.ts'

export interface UserPolicyNames {
  user: string
  policies: string[]
  memberOfMappings: GroupPolicyNames[]
  /** All groups of a directory's user, if the directory was asked. */
  memberOf?: readonly string[]
}

export interface GroupPolicyNames {
  group: string
  policies: string[]
}

export interface PolicyHolderNames {
  policy: string
  users: string[]
  groups: string[]
}

/** Returns the policies of these users and of their groups, without users that have none. */
export function listUserPolicies(iam: Iam, users: readonly string[]): UserPolicyNames[] {
  return sortedUnique(users)
    .map((user) => ({
      user,
      policies: attachedPolicies(iam.userPolicies, user),
      memberOfMappings: listGroupPolicies(iam, iam.userGroups(user)),
    }))
    .filter(({ policies, memberOfMappings }) => policies.length > 0 || memberOfMappings.length > 0)
}

/** Returns the policies of these groups, without groups that have none. */
export function listGroupPolicies(iam: Iam, groups: readonly string[]): GroupPolicyNames[] {
  return sortedUnique(groups)
    .map((group) => ({ group, policies: attachedPolicies(iam.groupPolicies, group) }))
    .filter(({ policies }) => policies.length > 0)
}

/** Returns the policies of an LDAP user and of its groups. */
export function ldapMemberPolicies(
  iam: Iam,
  { dn, groups }: { dn: string; groups: readonly string[] },
): UserPolicyNames {
  return {
    user: dn,
    policies: attachedPolicies(iam.ldapUserPolicies, dn),
    memberOfMappings: listLdapGroupPolicies(iam, groups),
    memberOf: groups,
  }
}

/** Returns the policies of LDAP users by distinguished name, without groups, which only the directory has. */
export function listLdapUserPolicies(iam: Iam, users: readonly string[]): UserPolicyNames[] {
  return sortedUnique(users)
    .map((user) => ({ user, policies: attachedPolicies(iam.ldapUserPolicies, user), memberOfMappings: [] }))
    .filter(({ policies }) => policies.length > 0)
}

export function listLdapGroupPolicies(iam: Iam, groups: readonly string[]): GroupPolicyNames[] {
  return sortedUnique(groups)
    .map((group) => ({ group, policies: attachedPolicies(iam.ldapGroupPolicies, group) }))
    .filter(({ policies }) => policies.length > 0)
}

/**
 * Returns the users and groups of the requested policies, by default of all attached ones.
 * @param kept where the users and groups are stored: here, or in a directory
 */
export function listPolicyHolders(
  iam: Iam,
  asked: readonly string[],
  kept: 'here' | 'directory' = 'here',
): PolicyHolderNames[] {
  const holders = new Map<string, PolicyHolderNames>()
  const collectHolders = (mappings: IamCollection<MappingRecord>, kind: 'users' | 'groups') => {
    for (const [name, { policies }] of mappings.entries()) {
      for (const policy of policies) {
        if (asked.length > 0 && !asked.includes(policy)) continue
        const known = holders.get(policy) ?? { policy, users: [], groups: [] }
        known[kind].push(name)
        holders.set(policy, known)
      }
    }
  }
  collectHolders(kept === 'here' ? iam.userPolicies : iam.ldapUserPolicies, 'users')
  collectHolders(kept === 'here' ? iam.groupPolicies : iam.ldapGroupPolicies, 'groups')
  return [...holders.values()]
    .map(({ policy, users, groups }) => ({ policy, users: users.toSorted(), groups: groups.toSorted() }))
    .toSorted((a, b) => (a.policy < b.policy ? -1 : 1))
}

const attachedPolicies = (mappings: IamCollection<MappingRecord>, name: string): string[] =>
  (mappings.get(name)?.policies ?? []).toSorted()

const sortedUnique = (names: readonly string[]): string[] => [...new Set(names)].toSorted()
