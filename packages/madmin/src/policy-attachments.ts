import { at, listOf, textOf, textsOf } from './json.ts'
import type { CallOptions, Transport } from './transport.ts'

/** The user or group that has a policy: exactly one of the two. */
export type Entity =
  | { readonly user: string; readonly group?: never }
  | { readonly group: string; readonly user?: never }

/** Where users and groups are stored: on the server, or in its directory (LDAP), where they have distinguished names. */
export interface Provided {
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
  mapping: Entity & { policies: readonly string[] },
  options?: CallOptions,
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
  change: Entity & Provided & { policies: readonly string[] },
  options?: CallOptions,
): Promise<string[]> {
  return textsOf(at(await apply(t, 'attach', change, options), 'policiesAttached'))
}

/**
 * Detaches policies from a user or a group; see `attachPolicies`.
 * @returns those that were attached before
 */
export async function detachPolicies(
  t: Transport,
  change: Entity & Provided & { policies: readonly string[] },
  options?: CallOptions,
): Promise<string[]> {
  return textsOf(at(await apply(t, 'detach', change, options), 'policiesDetached'))
}

async function apply(
  t: Transport,
  operation: 'attach' | 'detach',
  change: Entity & Provided & { policies: readonly string[] },
  options?: CallOptions,
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
    readonly groups: readonly GroupPolicies[]
    /** All groups of a directory's user; undefined if the server did not ask the directory. Only our own store does. */
    readonly memberOf: readonly string[] | undefined
  }[]
  readonly groups: readonly GroupPolicies[]
  readonly policies: readonly {
    readonly policy: string
    readonly users: readonly string[]
    readonly groups: readonly string[]
  }[]
}

export interface GroupPolicies {
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
  filter: Provided & { users?: readonly string[]; groups?: readonly string[]; policies?: readonly string[] } = {},
  options?: CallOptions,
): Promise<PolicyEntities> {
  const query = { user: filter.users, group: filter.groups, policy: filter.policies }
  const path = `idp/${filter.provider ?? 'builtin'}/policy-entities`
  const answer = await t.call({ method: 'GET', path, query, ...options })
  return {
    users: listOf(at(answer, 'userMappings')).map((mapping) => ({
      user: textOf(at(mapping, 'user')),
      policies: textsOf(at(mapping, 'policies')),
      groups: listOf(at(mapping, 'memberOfMappings')).map(groupOf),
      memberOf: at(mapping, 'memberOf') === undefined ? undefined : textsOf(at(mapping, 'memberOf')),
    })),
    groups: listOf(at(answer, 'groupMappings')).map(groupOf),
    policies: listOf(at(answer, 'policyMappings')).map((mapping) => ({
      policy: textOf(at(mapping, 'policy')),
      users: textsOf(at(mapping, 'users')),
      groups: textsOf(at(mapping, 'groups')),
    })),
  }
}

function groupOf(mapping: unknown): GroupPolicies {
  return { group: textOf(at(mapping, 'group')), policies: textsOf(at(mapping, 'policies')) }
}
