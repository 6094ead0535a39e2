import { asList, asText, asTexts, pickMember } from '../transport/json-values.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'

/** The user or group that has a policy: exactly one of the two. */
export type PolicyEntity =
  | { readonly user: string; readonly group?: never }
  | { readonly group: string; readonly user?: never }

/** Where users and groups are stored: on the server, or in its directory (LDAP), where they have distinguished names. */
export interface ProviderOption {
  /** Default: `builtin`. */
  readonly provider?: 'builtin' | 'ldap'
}

/**
 * Replaces all policies of a user or a group; an empty list removes them. Works on all releases. Needs
 * `admin:AttachUserOrGroupPolicy`.
 * @throws MadminError XMinioAdminNoSuchPolicy, XMinioAdminNoSuchUser (also for a disabled user), XMinioAdminNoSuchGroup
 */
export async function setPolicyMapping(
  t: Transport,
  mapping: PolicyEntity & { policies: readonly string[] },
  options?: AdminCallOptions,
): Promise<void> {
  const isGroup = mapping.group !== undefined
  const query = {
    policyName: mapping.policies.join(','),
    userOrGroup: mapping.group ?? mapping.user,
    isGroup: String(isGroup),
  }
  await t.call({ method: 'PUT', path: 'set-user-or-group-policy', query, ...options })
}

/**
 * Attaches policies to a user or a group. On servers since June 2023. Needs `admin:UpdatePolicyAssociation` or
 * `admin:AttachUserOrGroupPolicy`.
 * @returns those that were not attached before
 * @throws MadminError XMinioAdminPolicyChangeAlreadyApplied (all were attached), XMinioAdminNoSuchPolicy,
 *   XMinioAdminNoSuchUser (also for a disabled user), XMinioAdminNoSuchGroup, InternalError (disabled group),
 *   XMinioLDAPNotEnabled, XMinioAdminVersionMismatch
 */
export async function attachPolicies(
  t: Transport,
  change: PolicyEntity & ProviderOption & { policies: readonly string[] },
  options?: AdminCallOptions,
): Promise<string[]> {
  return asTexts(pickMember(await changeAttachment(t, 'attach', change, options), 'policiesAttached'))
}

/**
 * Detaches policies from a user or a group; see `attachPolicies`.
 * @returns those that were attached before
 */
export async function detachPolicies(
  t: Transport,
  change: PolicyEntity & ProviderOption & { policies: readonly string[] },
  options?: AdminCallOptions,
): Promise<string[]> {
  return asTexts(pickMember(await changeAttachment(t, 'detach', change, options), 'policiesDetached'))
}

async function changeAttachment(
  t: Transport,
  operation: 'attach' | 'detach',
  change: PolicyEntity & ProviderOption & { policies: readonly string[] },
  options?: AdminCallOptions,
): Promise<unknown> {
  const { policies, user, group, provider = 'builtin' } = change
  const sealed = { policies, ...(user === undefined ? { group } : { user }) }
  return await t.call({ method: 'POST', path: `idp/${provider}/policy/${operation}`, sealed, ...options })
}

export interface PolicyEntities {
  readonly users: readonly {
    readonly user: string
    readonly policies: readonly string[]
    /** Those of its groups that have policies. */
    readonly groups: readonly GroupPolicyMapping[]
    /** All groups of a directory's user; undefined if the server did not ask the directory. Only our own store does. */
    readonly memberOf: readonly string[] | undefined
  }[]
  readonly groups: readonly GroupPolicyMapping[]
  readonly policies: readonly {
    readonly policy: string
    readonly users: readonly string[]
    readonly groups: readonly string[]
  }[]
}

export interface GroupPolicyMapping {
  readonly group: string
  readonly policies: readonly string[]
}

/**
 * Returns the policies of users and groups. Without a filter only `policies` is filled. Supported since December 2022. Needs
 * any of `admin:ListGroups`, `admin:ListUsers` and `admin:ListUserPolicies`.
 * @throws MadminError AccessDenied, XMinioLDAPNotEnabled, XMinioAdminVersionMismatch
 */
export async function listPolicyEntities(
  t: Transport,
  filter: ProviderOption & { users?: readonly string[]; groups?: readonly string[]; policies?: readonly string[] } = {},
  options?: AdminCallOptions,
): Promise<PolicyEntities> {
  const query = { user: filter.users, group: filter.groups, policy: filter.policies }
  const path = `idp/${filter.provider ?? 'builtin'}/policy-entities`
  const answer = await t.call({ method: 'GET', path, query, ...options })
  return {
    users: asList(pickMember(answer, 'userMappings')).map((mapping) => ({
      user: asText(pickMember(mapping, 'user')),
      policies: asTexts(pickMember(mapping, 'policies')),
      groups: asList(pickMember(mapping, 'memberOfMappings')).map(readGroupPolicies),
      memberOf: pickMember(mapping, 'memberOf') === undefined ? undefined : asTexts(pickMember(mapping, 'memberOf')),
    })),
    groups: asList(pickMember(answer, 'groupMappings')).map(readGroupPolicies),
    policies: asList(pickMember(answer, 'policyMappings')).map((mapping) => ({
      policy: asText(pickMember(mapping, 'policy')),
      users: asTexts(pickMember(mapping, 'users')),
      groups: asTexts(pickMember(mapping, 'groups')),
    })),
  }
}

function readGroupPolicies(mapping: unknown): GroupPolicyMapping {
  return { group: asText(pickMember(mapping, 'group')), policies: asTexts(pickMember(mapping, 'policies')) }
}
