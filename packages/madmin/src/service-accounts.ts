import { at, documentOf, flagOf, listOf, textOf, timeOf } from './json.ts'
import type { CallOptions, Transport } from './transport.ts'
import type { AccountStatus } from './users.ts'

export interface ServiceAccount {
  readonly accessKey: string
  /** Empty in lists of servers of 2021, which contain access keys only. */
  readonly parentUser: string
  readonly status: AccountStatus
  /** Has all rights of its parent; otherwise an embedded policy limits them. */
  readonly impliedPolicy: boolean
  readonly name: string
  readonly description: string
  /** RFC 3339; undefined: never. */
  readonly expiration: string | undefined
  /** RFC 3339. Only of the embedded store, and of accounts since it keeps this. */
  readonly createdAt?: string | undefined
  /** The day, as `2026-11-22` in UTC; empty: never. Undefined: the server does not keep it. */
  readonly lastUsed?: string | undefined
}

export interface NewServiceAccount {
  /** Another user's, which needs more rights. Default: the caller's own. */
  readonly targetUser?: string | undefined
  /** Both or neither; default: made by the server. */
  readonly accessKey?: string | undefined
  readonly secretKey?: string | undefined
  /** Limits the account to less than its parent; up to 4096 bytes. Default: as its parent. */
  readonly policy?: object | undefined
  /** Up to 32 characters: a letter, then letters, digits, `_` and `-`. */
  readonly name?: string | undefined
  /** Up to 256 bytes. */
  readonly description?: string | undefined
  /** RFC 3339, 15 minutes to 365 days from now. */
  readonly expiration?: string | undefined
}

/**
 * Adds a service account. For oneself allowed unless denied, for others it needs `admin:CreateServiceAccount`.
 * @returns the account with its secret key, which cannot be read later
 * @throws MadminError XMinioIAMServiceAccountNotAllowed (the access key is taken), XMinioAdminNoSecretKey,
 *   XMinioAdminNoAccessKey, XMinioIAMServiceAccountSessionPolicyTooLarge, XMinioMalformedIAMPolicy
 */
export async function addServiceAccount(
  t: Transport,
  account: NewServiceAccount = {},
  options?: CallOptions,
): Promise<{ accessKey: string; secretKey: string }> {
  const answer = await t.call({
    method: 'PUT',
    path: 'add-service-account',
    sealed: account,
    // Applied twice it would make two accounts, or fail the second time.
    idempotent: false,
    ...options,
  })
  const credentials = at(answer, 'credentials')
  return { accessKey: textOf(at(credentials, 'accessKey')), secretKey: textOf(at(credentials, 'secretKey')) }
}

/**
 * Service accounts of a user, default the caller's own. Those of others need `admin:ListServiceAccounts`.
 * @throws MadminError AccessDenied, XMinioAdminNoSuchUser
 */
export async function listServiceAccounts(
  t: Transport,
  options: CallOptions & { user?: string | undefined } = {},
): Promise<ServiceAccount[]> {
  const { user, ...rest } = options
  const answer = await t.call({ method: 'GET', path: 'list-service-accounts', query: { user }, ...rest })
  return listOf(at(answer, 'accounts')).map(readServiceAccount)
}

/** Reads an entry of a list: an object, or the bare access key on servers of 2021. */
export function readServiceAccount(value: unknown): ServiceAccount {
  const bare = typeof value === 'string'
  const status = textOf(at(value, 'accountStatus'))
  return {
    accessKey: bare ? value : textOf(at(value, 'accessKey')),
    parentUser: textOf(at(value, 'parentUser')),
    status: bare || status === 'on' || status === 'enabled' ? 'enabled' : 'disabled',
    impliedPolicy: flagOf(at(value, 'impliedPolicy')),
    name: textOf(at(value, 'name')),
    description: textOf(at(value, 'description')),
    expiration: timeOf(at(value, 'expiration')),
    ...usage(value),
  }
}

/** What only the embedded store adds. */
function usage(value: unknown): Pick<ServiceAccount, 'createdAt' | 'lastUsed'> {
  const [createdAt, lastUsed] = [at(value, 'createdAt'), at(value, 'lastUsed')]
  return {
    ...(createdAt === undefined ? {} : { createdAt: timeOf(createdAt) }),
    ...(typeof lastUsed === 'string' ? { lastUsed } : {}),
  }
}

/**
 * One service account with its effective policy: the embedded one, or what its parent may do. Needs
 * `admin:ListServiceAccounts` unless it is one's own.
 * @throws MadminError XMinioInvalidIAMCredentials or XMinioAdminNoSuchAccessKey
 */
export async function getServiceAccount(
  t: Transport,
  accessKey: string,
  options?: CallOptions,
): Promise<ServiceAccount & { policy: unknown }> {
  const answer = await t.call({ method: 'GET', path: 'info-service-account', query: { accessKey }, ...options })
  return { ...readServiceAccount(answer), accessKey, policy: documentOf(at(answer, 'policy')) }
}

export interface ServiceAccountUpdate {
  /** `null`: the account gets all rights of its parent. Absent: unchanged. */
  readonly policy?: object | null | undefined
  readonly secretKey?: string | undefined
  readonly status?: AccountStatus | undefined
  /** Cannot be made empty again. */
  readonly name?: string | undefined
  /** Cannot be made empty again. */
  readonly description?: string | undefined
  /** RFC 3339; `null`: never. */
  readonly expiration?: string | null | undefined
}

const NEVER = '1970-01-01T00:00:00Z'

/**
 * Changes parts of a service account. Needs `admin:UpdateServiceAccount`, also for one's own.
 *
 * For MinIO, an update without a policy removes the policy, which would give the account all rights of its parent. So this
 * reads the account first and sends its embedded policy again; the read needs `admin:ListServiceAccounts` or ownership.
 * @throws MadminError XMinioInvalidIAMCredentials, XMinioMalformedIAMPolicy, AccessDenied
 */
export async function updateServiceAccount(
  t: Transport,
  accessKey: string,
  update: ServiceAccountUpdate,
  options?: CallOptions,
): Promise<void> {
  const { policy, secretKey, status, name, description, expiration } = update
  const newPolicy = policy === undefined ? await embeddedPolicy(t, accessKey, options) : (policy ?? undefined)
  const sealed = {
    newPolicy,
    newSecretKey: secretKey,
    newStatus: status && (status === 'enabled' ? 'on' : 'off'),
    newName: name,
    newDescription: description,
    newExpiration: expiration === null ? NEVER : expiration,
  }
  await t.call({ method: 'POST', path: 'update-service-account', query: { accessKey }, sealed, ...options })
}

async function embeddedPolicy(t: Transport, accessKey: string, options?: CallOptions): Promise<unknown> {
  const account = await getServiceAccount(t, accessKey, options)
  return account.impliedPolicy ? undefined : account.policy
}

/**
 * Removes a service account. Needs `admin:RemoveServiceAccount` unless it is one's own.
 * @throws MadminError XMinioInvalidIAMCredentials (unknown, or another's without that right)
 */
export async function deleteServiceAccount(t: Transport, accessKey: string, options?: CallOptions): Promise<void> {
  await t.call({ method: 'DELETE', path: 'delete-service-account', query: { accessKey }, ...options })
}
