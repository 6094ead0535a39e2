import { asObject, asText, asTexts, asTime, pickMember, splitNames } from '../transport/json-values.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'

export type AccountStatus = 'enabled' | 'disabled'

export interface AdminUser {
  readonly accessKey: string
  readonly status: AccountStatus
  /** Attached directly; policies of the groups apply too. */
  readonly policies: readonly string[]
  readonly memberOf: readonly string[]
  /** When the policies were attached, RFC 3339; undefined without attached policies. Other changes do not count. */
  readonly updatedAt: string | undefined
}

/**
 * Adds a user, or replaces the secret key and status of an existing one, keeping its policies and groups. Needs `admin:CreateUser`.
 * @param user.secretKey at least 8 characters
 * @throws MadminError XMinioAdminInvalidAccessKey (under 3 characters, or with `=` or `,`), XMinioAdminInvalidSecretKey,
 *   XMinioInvalidResource (spaces at either end), XMinioInvalidIAMCredentials (root, or a service account has the name)
 */
export async function addUser(
  t: Transport,
  accessKey: string,
  user: { secretKey: string; status?: AccountStatus },
  options?: AdminCallOptions,
): Promise<void> {
  // Without a status the server creates a disabled user.
  const { secretKey, status = 'enabled' } = user
  await t.call({ method: 'PUT', path: 'add-user', query: { accessKey }, sealed: { secretKey, status }, ...options })
}

/**
 * Deletes a user with its service accounts, temporary credentials and group memberships. Needs `admin:DeleteUser`.
 * @throws MadminError XMinioAdminNoSuchUser
 */
export async function removeUser(t: Transport, accessKey: string, options?: AdminCallOptions): Promise<void> {
  await t.call({ method: 'DELETE', path: 'remove-user', query: { accessKey }, ...options })
}

/**
 * Returns all users by name: the same list as long as nothing has changed, if `TransportOptions.known` is set. Needs
 * `admin:ListUsers`.
 * @throws MadminError AccessDenied
 */
export async function listUsers(t: Transport, options?: AdminCallOptions): Promise<readonly AdminUser[]> {
  return await t.cachedCall('list-users', readUsers, options)
}

function readUsers(answer: unknown): AdminUser[] {
  return Object.entries(asObject(answer))
    .map(([accessKey, user]) => readUser(accessKey, user))
    .sort((a, b) => (a.accessKey < b.accessKey ? -1 : 1))
}

/**
 * Returns a user. Needs `admin:GetUser`; users may read their own record.
 * @throws MadminError XMinioAdminNoSuchUser
 */
export async function getUser(t: Transport, accessKey: string, options?: AdminCallOptions): Promise<AdminUser> {
  return readUser(accessKey, await t.call({ method: 'GET', path: 'user-info', query: { accessKey }, ...options }))
}

/**
 * Enables or disables a user. Needs `admin:EnableUser` for both.
 * @throws MadminError XMinioAdminNoSuchUser, XMinioAdminInvalidArgument (the caller's own status)
 */
export async function setUserStatus(
  t: Transport,
  accessKey: string,
  status: AccountStatus,
  options?: AdminCallOptions,
): Promise<void> {
  await t.call({ method: 'PUT', path: 'set-user-status', query: { accessKey, status }, ...options })
}

function readUser(accessKey: string, value: unknown): AdminUser {
  return {
    accessKey,
    status: asText(pickMember(value, 'status')) === 'enabled' ? 'enabled' : 'disabled',
    policies: splitNames(pickMember(value, 'policyName')),
    memberOf: asTexts(pickMember(value, 'memberOf')),
    updatedAt: asTime(pickMember(value, 'updatedAt')),
  }
}
