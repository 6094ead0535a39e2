import { S3Error } from '../lib/errors.ts'
import type { Iam } from './iam.ts'
import { checkIamName } from './iam-names.ts'
import type { GroupRecord } from './iam-records.ts'
import { requireUser } from './users.ts'

export interface GroupDetails {
  status: 'enabled' | 'disabled'
  members: string[]
  /** Empty while the group is disabled; the mapping is kept. */
  policies: string[]
  updatedAt: number
}

/**
 * Adds members. Creates the group if it does not exist.
 * @param status of a new group; an existing one keeps its own
 * @throws S3Error XMinioAdminNoSuchUser, XMinioInvalidGroupName, XMinioInvalidUTF
 */
export function addGroupMembers(
  iam: Iam,
  group: string,
  members: readonly string[],
  status: GroupRecord['status'] = 'enabled',
): Promise<void> {
  return iam.update(() => {
    if (!iam.groups.has(group)) checkIamName('group', group)
    for (const member of members) requireUser(iam, member)
    const existing = iam.groups.get(group)
    const all = new Set([...(existing?.members ?? []), ...members])
    const record = { members: [...all], status: existing?.status ?? status, updatedAt: iam.now() }
    return [iam.groups.change(group, record)]
  })
}

/**
 * Removes members from a group. Without members in the call, removes the group, which must be empty.
 * @throws S3Error XMinioAdminNoSuchGroup, XMinioAdminNoSuchUser, XMinioAdminGroupNotEmpty
 */
export function removeGroupMembers(iam: Iam, group: string, members: readonly string[]): Promise<void> {
  return iam.update(() => {
    const existing = requireGroup(iam, group)
    if (members.length === 0) {
      if (existing.members.length > 0) {
        throw new S3Error('XMinioAdminGroupNotEmpty', 'The group has members. Remove them first.')
      }
      const changes = [iam.groups.change(group, undefined)]
      if (iam.groupPolicies.has(group)) changes.push(iam.groupPolicies.change(group, undefined))
      return changes
    }
    for (const member of members) requireUser(iam, member)
    const left = existing.members.filter((member) => !members.includes(member))
    return [iam.groups.change(group, { ...existing, members: left, updatedAt: iam.now() })]
  })
}

/** @throws S3Error XMinioAdminNoSuchGroup */
export function setGroupStatus(iam: Iam, group: string, status: GroupRecord['status']): Promise<void> {
  return iam.update(() => [iam.groups.change(group, { ...requireGroup(iam, group), status, updatedAt: iam.now() })])
}

/** @throws S3Error XMinioAdminNoSuchGroup */
export function getGroup(iam: Iam, group: string): GroupDetails {
  const { status, members, updatedAt } = requireGroup(iam, group)
  const policies = status === 'enabled' ? (iam.groupPolicies.get(group)?.policies ?? []) : []
  return { status, members: members.toSorted(), policies, updatedAt }
}

export function listGroups(iam: Iam): string[] {
  return [...iam.groups.entries()].map(([name]) => name).toSorted()
}

/** @throws S3Error XMinioAdminNoSuchGroup */
export function requireGroup(iam: Iam, group: string): GroupRecord {
  const found = iam.groups.get(group)
  if (!found) throw new S3Error('XMinioAdminNoSuchGroup', 'The specified group does not exist.')
  return found
}
