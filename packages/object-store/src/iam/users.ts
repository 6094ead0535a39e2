import { S3Error } from '../lib/errors.ts'
import { checkSecretKey } from './check-secret-key.ts'
import type { Iam } from './iam.ts'
import { checkIamName } from './iam-names.ts'
import type { UserRecord } from './iam-records.ts'
import { endSessions } from './sessions.ts'

/** A user as returned by `list-users` and `user-info`. */
export interface UserDetails {
  status: 'enabled' | 'disabled'
  policies: string[]
  groups: readonly string[]
  /** Time of the policy mapping (ms), not of the user's own change; undefined without a mapping. */
  policiesUpdatedAt: number | undefined
}

/**
 * Adds a user, or replaces secret key and status of an existing one, and keeps its policies and groups. A new secret key ends
 * all sessions.
 * @param approve called before a change of the status of an existing user; throws to refuse it
 * @throws S3Error XMinioAdminInvalidAccessKey, XMinioInvalidResource, XMinioInvalidUTF (the name),
 *   XMinioAdminInvalidSecretKey, XMinioInvalidIAMCredentials (the name is root's, or that of a session or service account)
 */
export async function setUser(
  iam: Iam,
  accessKey: string,
  secretKey: string,
  status: UserRecord['status'],
  approve?: () => void,
): Promise<void> {
  checkSecretKey(secretKey)
  await iam.update(() => {
    const existing = iam.users.get(accessKey)
    if (!existing) checkIamName('user', accessKey)
    else if (existing.status !== status) approve?.()
    if (accessKey === iam.root.accessKey || iam.sessions.has(accessKey) || iam.serviceAccounts.has(accessKey)) {
      throw new S3Error('XMinioInvalidIAMCredentials', 'These IAM credentials are not allowed for a user.')
    }
    // Sessions may have been opened with the old secret key.
    const ended = existing && existing.secretKey !== secretKey ? endSessions(iam, accessKey) : []
    return [...ended, iam.users.change(accessKey, { secretKey, status, updatedAt: iam.now() })]
  })
}

/** @throws S3Error XMinioAdminNoSuchUser */
export function setUserStatus(iam: Iam, accessKey: string, status: UserRecord['status']): Promise<void> {
  return iam.update(() => [
    iam.users.change(accessKey, { ...requireUser(iam, accessKey), status, updatedAt: iam.now() }),
  ])
}

/** Removes a user with its mapping, memberships, sessions and service accounts. @throws S3Error XMinioAdminNoSuchUser */
export function removeUser(iam: Iam, accessKey: string): Promise<void> {
  return iam.update(() => {
    requireUser(iam, accessKey)
    const changes = [iam.users.change(accessKey, undefined)]
    if (iam.userPolicies.has(accessKey)) changes.push(iam.userPolicies.change(accessKey, undefined))
    for (const [name, group] of iam.groups.entries()) {
      if (!group.members.includes(accessKey)) continue
      const members = group.members.filter((member) => member !== accessKey)
      changes.push(iam.groups.change(name, { ...group, members, updatedAt: iam.now() }))
    }
    changes.push(...endSessions(iam, accessKey))
    for (const [name, account] of iam.serviceAccounts.entries()) {
      if (account.parent !== accessKey) continue
      changes.push(iam.serviceAccounts.change(name, undefined), ...iam.forgetUse(name))
    }
    changes.push(...iam.forgetUse(accessKey))
    return changes
  })
}

export function listUsers(iam: Iam): Map<string, UserDetails> {
  return new Map([...iam.users.entries()].map(([accessKey, user]) => [accessKey, userDetails(iam, accessKey, user)]))
}

/** @throws S3Error XMinioAdminNoSuchUser */
export function getUser(iam: Iam, accessKey: string): UserDetails {
  return userDetails(iam, accessKey, requireUser(iam, accessKey))
}

/** @throws S3Error XMinioAdminNoSuchUser */
export function requireUser(iam: Iam, accessKey: string): UserRecord {
  const user = iam.users.get(accessKey)
  if (!user) throw new S3Error('XMinioAdminNoSuchUser', 'The specified user does not exist.')
  return user
}

function userDetails(iam: Iam, accessKey: string, user: UserRecord): UserDetails {
  const mapping = iam.userPolicies.get(accessKey)
  return {
    status: user.status,
    policies: mapping?.policies ?? [],
    groups: iam.userGroups(accessKey),
    policiesUpdatedAt: mapping?.updatedAt,
  }
}
