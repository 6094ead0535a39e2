import type { Collection } from './collection.ts'
import type { Iam } from './iam.ts'
import type { MappingRecord } from './records.ts'

export interface UserPolicies {
  user: string
  policies: string[]
  memberOfMappings: GroupPolicies[]
  /** All groups of a directory's user, if the directory was asked. */
  memberOf?: readonly string[]
}

export interface GroupPolicies {
  group: string
  policies: string[]
}

export interface PolicyHolders {
  policy: string
  users: string[]
  groups: string[]
}

/** Returns the policies of these users and of their groups, without users that have none. */
export function policiesOfUsers(iam: Iam, users: readonly string[]): UserPolicies[] {
  return sortedUnique(users)
    .map((user) => ({
      user,
      policies: policiesOf(iam.userPolicies, user),
      memberOfMappings: policiesOfGroups(iam, iam.groupsOf(user)),
    }))
    .filter(({ policies, memberOfMappings }) => policies.length > 0 || memberOfMappings.length > 0)
}

/** Returns the policies of these groups, without groups that have none. */
export function policiesOfGroups(iam: Iam, groups: readonly string[]): GroupPolicies[] {
  return sortedUnique(groups)
    .map((group) => ({ group, policies: policiesOf(iam.groupPolicies, group) }))
    .filter(({ policies }) => policies.length > 0)
}

/** Returns the policies of an LDAP user and of its groups. */
export function policiesOfLdapMember(
  iam: Iam,
  { dn, groups }: { dn: string; groups: readonly string[] },
): UserPolicies {
  return {
    user: dn,
    policies: policiesOf(iam.ldapUserPolicies, dn),
    memberOfMappings: policiesOfLdapGroups(iam, groups),
    memberOf: groups,
  }
}

/** Returns the policies of LDAP users by distinguished name, without groups, which only the directory has. */
export function policiesOfLdapUsers(iam: Iam, users: readonly string[]): UserPolicies[] {
  return sortedUnique(users)
    .map((user) => ({ user, policies: policiesOf(iam.ldapUserPolicies, user), memberOfMappings: [] }))
    .filter(({ policies }) => policies.length > 0)
}

export function policiesOfLdapGroups(iam: Iam, groups: readonly string[]): GroupPolicies[] {
  return sortedUnique(groups)
    .map((group) => ({ group, policies: policiesOf(iam.ldapGroupPolicies, group) }))
    .filter(({ policies }) => policies.length > 0)
}

/**
 * Returns the users and groups of the requested policies, by default of all attached ones.
 * @param kept where the users and groups are stored: here, or in a directory
 */
export function holdersOfPolicies(
  iam: Iam,
  asked: readonly string[],
  kept: 'here' | 'directory' = 'here',
): PolicyHolders[] {
  const holders = new Map<string, PolicyHolders>()
  const note = (mappings: Collection<MappingRecord>, kind: 'users' | 'groups') => {
    for (const [name, { policies }] of mappings.entries()) {
      for (const policy of policies) {
        if (asked.length > 0 && !asked.includes(policy)) continue
        const known = holders.get(policy) ?? { policy, users: [], groups: [] }
        known[kind].push(name)
        holders.set(policy, known)
      }
    }
  }
  note(kept === 'here' ? iam.userPolicies : iam.ldapUserPolicies, 'users')
  note(kept === 'here' ? iam.groupPolicies : iam.ldapGroupPolicies, 'groups')
  return [...holders.values()]
    .map(({ policy, users, groups }) => ({ policy, users: users.toSorted(), groups: groups.toSorted() }))
    .toSorted((a, b) => (a.policy < b.policy ? -1 : 1))
}

const policiesOf = (mappings: Collection<MappingRecord>, name: string): string[] =>
  (mappings.get(name)?.policies ?? []).toSorted()

const sortedUnique = (names: readonly string[]): string[] => [...new Set(names)].toSorted()
