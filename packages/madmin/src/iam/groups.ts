import { asText, asTexts, asTime, pickMember, splitNames } from '../transport/json-values.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'
import type { AccountStatus } from './users.ts'

export interface AdminGroup {
  readonly name: string
  /** A member of any disabled group has no permission at all, whatever else is attached to it. */
  readonly status: AccountStatus
  readonly members: readonly string[]
  /** Empty while the group is disabled; they are restored when it is enabled. */
  readonly policies: readonly string[]
  /** RFC 3339. */
  readonly updatedAt: string | undefined
}

/**
 * Adds users to a group, which is created if it does not exist. Needs `admin:AddUserToGroup`.
 * @throws MadminError XMinioAdminNoSuchUser, XMinioInvalidGroupName
 */
export async function addGroupMembers(
  t: Transport,
  group: string,
  members: readonly string[],
  options?: AdminCallOptions,
): Promise<void> {
  await updateMembers(t, group, members, false, options)
}

/**
 * Removes users from a group. Needs `admin:AddUserToGroup`: MinIO never checks `admin:RemoveUserFromGroup`.
 * @throws MadminError XMinioAdminNoSuchGroup, XMinioAdminNoSuchUser; TypeError for no members, which would be
 *   `removeGroup`
 */
export async function removeGroupMembers(
  t: Transport,
  group: string,
  members: readonly string[],
  options?: AdminCallOptions,
): Promise<void> {
  if (members.length === 0) throw new TypeError('an empty list of members would remove the group')
  await updateMembers(t, group, members, true, options)
}

/**
 * Removes a group, which must have no members. Needs `admin:AddUserToGroup`.
 * @throws MadminError XMinioAdminNoSuchGroup, XMinioAdminGroupNotEmpty
 */
export async function removeGroup(t: Transport, group: string, options?: AdminCallOptions): Promise<void> {
  await updateMembers(t, group, [], true, options)
}

/** Returns the names of all groups, sorted. Needs `admin:ListGroups`. @throws MadminError AccessDenied */
export async function listGroups(t: Transport, options?: AdminCallOptions): Promise<string[]> {
  return asTexts(await t.call({ method: 'GET', path: 'groups', ...options })).sort()
}

/** Returns a group. Needs `admin:GetGroup`. @throws MadminError XMinioAdminNoSuchGroup */
export async function getGroup(t: Transport, group: string, options?: AdminCallOptions): Promise<AdminGroup> {
  const answer = await t.call({ method: 'GET', path: 'group', query: { group }, ...options })
  return {
    name: asText(pickMember(answer, 'name')),
    status: asText(pickMember(answer, 'status')) === 'enabled' ? 'enabled' : 'disabled',
    members: asTexts(pickMember(answer, 'members')),
    policies: splitNames(pickMember(answer, 'policy')),
    updatedAt: asTime(pickMember(answer, 'updatedAt')),
  }
}

/** Enables or disables a group. Needs `admin:EnableGroup` for both. @throws MadminError XMinioAdminNoSuchGroup */
export async function setGroupStatus(
  t: Transport,
  group: string,
  status: AccountStatus,
  options?: AdminCallOptions,
): Promise<void> {
  await t.call({ method: 'PUT', path: 'set-group-status', query: { group, status }, ...options })
}

async function updateMembers(
  t: Transport,
  group: string,
  members: readonly string[],
  isRemove: boolean,
  options?: AdminCallOptions,
): Promise<void> {
  // RustFS requires all fields; an empty status leaves the group's status unchanged on all servers.
  const json = { group, members, groupStatus: '', isRemove }
  await t.call({ method: 'PUT', path: 'update-group-members', json, ...options })
}
