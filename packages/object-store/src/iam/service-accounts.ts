import { formatPolicy, isEmptyPolicy, parsePolicy, problemText } from '@stowage/iam-policy'
import { S3Error } from '../lib/errors.ts'
import { generateAccessKey, generateSecretKey } from '../settings/root-credentials.ts'
import { checkSecretKey } from './check-secret-key.ts'
import type { Iam } from './iam.ts'
import { checkIamName } from './iam-names.ts'
import type { ExternalUser, ServiceAccountRecord } from './iam-records.ts'

export interface ServiceAccountRequest {
  /** The user whose rights the account has. */
  parent: string
  /** Set if the parent is an external user. */
  external?: ExternalUser | undefined
  /** Both keys or neither; empty ones are generated. */
  accessKey: string
  secretKey: string
  /** JSON text of the embedded policy; undefined or empty: all rights of the parent. */
  policy: string | undefined
  /** Policies of the credential that creates this one; see `ServiceAccountRecord`. */
  bounds: readonly string[]
  name: string
  description: string
  /** ms since 1970. */
  expiresAt: number | undefined
}

/** Undefined members stay unchanged. */
export interface ServiceAccountChange {
  secretKey?: string | undefined
  status?: ServiceAccountRecord['status'] | undefined
  /** JSON text; an empty policy removes the embedded one. */
  policy?: string | undefined
  name?: string | undefined
  description?: string | undefined
  /** ms since 1970; null: never expires. */
  expiresAt?: number | null | undefined
}

export const ACCOUNT_POLICY_BYTES = 4096
/** Limit because all accounts are in memory. No person needs more. */
export const MAX_ACCOUNTS_OF_USER = 10_000
const MIN_LIFE_MS = 15 * 60_000
const MAX_LIFE_MS = 365 * 24 * 3600_000
const DESCRIPTION_BYTES = 256

/**
 * Creates a service account and returns its credentials. The secret key cannot be read later.
 * @throws S3Error XMinioAdminNoSuchUser, XMinioAdminNoAccessKey, XMinioAdminNoSecretKey, XMinioAdminInvalidAccessKey,
 *   XMinioAdminInvalidSecretKey, XMinioInvalidResource (name, description or expiration),
 *   XMinioIAMServiceAccountNotAllowed (the access key is taken, or there are too many), XMinioMalformedIAMPolicy,
 *   XMinioIAMServiceAccountSessionPolicyTooLarge
 */
export async function createServiceAccount(
  iam: Iam,
  asked: ServiceAccountRequest,
): Promise<{ accessKey: string; secretKey: string }> {
  const { parent, external, name, description, expiresAt, bounds } = asked
  const { accessKey, secretKey } = chooseCredentials(asked)
  checkAccountLabels(name, description)
  if (expiresAt !== undefined) checkExpiration(iam, expiresAt)
  const policy = asked.policy === undefined ? undefined : normalizeEmbeddedPolicy(asked.policy)
  await iam.update(() => {
    if (!external && iam.userSecretKey(parent) === undefined) {
      throw new S3Error('XMinioAdminNoSuchUser', `Specified target user ${parent} does not exist.`)
    }
    requireFreeAccessKey(iam, accessKey)
    if (listServiceAccounts(iam, parent).length >= MAX_ACCOUNTS_OF_USER) {
      throw notAllowed(`A user has at most ${MAX_ACCOUNTS_OF_USER} service accounts.`)
    }
    const record: ServiceAccountRecord = {
      secretKey,
      parent,
      ...(external ? { external } : {}),
      status: 'on',
      ...(policy === undefined ? {} : { policy }),
      ...(bounds.length === 0 ? {} : { bounds: [...bounds] }),
      ...(name === '' ? {} : { name }),
      ...(description === '' ? {} : { description }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      createdAt: iam.now(),
      updatedAt: iam.now(),
    }
    return [iam.serviceAccounts.change(accessKey, record)]
  })
  return { accessKey, secretKey }
}

/**
 * Changes a service account.
 * @param approve called with the current account; throws to refuse the change
 * @throws S3Error as `createServiceAccount`, XMinioInvalidIAMCredentials (404: there is no such account)
 */
export async function updateServiceAccount(
  iam: Iam,
  accessKey: string,
  change: ServiceAccountChange,
  approve: (account: ServiceAccountRecord) => void,
): Promise<void> {
  const { secretKey, status, name, description, expiresAt } = change
  if (secretKey !== undefined) checkSecretKey(secretKey)
  checkAccountLabels(name ?? '', description ?? '')
  if (typeof expiresAt === 'number') checkExpiration(iam, expiresAt)
  const policy = change.policy === undefined ? undefined : normalizeEmbeddedPolicy(change.policy)
  await iam.update(() => {
    const { policy: oldPolicy, expiresAt: oldExpiration, ...old } = requireServiceAccount(iam, accessKey)
    approve(requireServiceAccount(iam, accessKey))
    const newPolicy = change.policy === undefined ? oldPolicy : policy
    const newExpiration = expiresAt === undefined ? oldExpiration : expiresAt
    const record: ServiceAccountRecord = {
      ...old,
      ...(secretKey === undefined ? {} : { secretKey }),
      ...(status === undefined ? {} : { status }),
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(newPolicy === undefined ? {} : { policy: newPolicy }),
      ...(typeof newExpiration === 'number' ? { expiresAt: newExpiration } : {}),
      updatedAt: iam.now(),
    }
    return [iam.serviceAccounts.change(accessKey, record)]
  })
}

/** @throws S3Error XMinioInvalidIAMCredentials (404) */
export function removeServiceAccount(iam: Iam, accessKey: string): Promise<void> {
  return iam.update(() => {
    requireServiceAccount(iam, accessKey)
    return [iam.serviceAccounts.change(accessKey, undefined), ...iam.forgetUse(accessKey)]
  })
}

/** Returns the service accounts of a user, sorted by access key. */
export function listServiceAccounts(iam: Iam, user: string): [accessKey: string, account: ServiceAccountRecord][] {
  return [...iam.serviceAccounts.entries()]
    .filter(([, { parent }]) => parent === user)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** @throws S3Error XMinioInvalidIAMCredentials (404) */
export function requireServiceAccount(iam: Iam, accessKey: string): ServiceAccountRecord {
  const account = iam.serviceAccounts.get(accessKey)
  if (!account) throw noSuchServiceAccount()
  return account
}

export function noSuchServiceAccount(): S3Error {
  return new S3Error('XMinioInvalidIAMCredentials', 'The specified service account is not found.', { status: 404 })
}

function chooseCredentials({ accessKey, secretKey }: ServiceAccountRequest): { accessKey: string; secretKey: string } {
  if (accessKey === '' && secretKey === '') return { accessKey: generateAccessKey(), secretKey: generateSecretKey() }
  if (accessKey === '') throw new S3Error('XMinioAdminNoAccessKey', 'No access key was provided.')
  if (secretKey === '') throw new S3Error('XMinioAdminNoSecretKey', 'No secret key was provided.')
  checkIamName('user', accessKey)
  checkSecretKey(secretKey)
  return { accessKey, secretKey }
}

function requireFreeAccessKey(iam: Iam, accessKey: string): void {
  const taken =
    accessKey === iam.root.accessKey ||
    iam.users.has(accessKey) ||
    iam.sessions.has(accessKey) ||
    iam.serviceAccounts.has(accessKey)
  if (taken) throw notAllowed('The access key is taken; use another one.')
}

/** @throws S3Error XMinioInvalidResource */
export function checkAccountLabels(name: string, description: string): void {
  if (name !== '' && !/^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(name)) {
    throw new S3Error(
      'XMinioInvalidResource',
      'The name must have at most 32 letters, digits, "_" and "-", and begin with a letter.',
    )
  }
  if (Buffer.byteLength(description) > DESCRIPTION_BYTES) {
    throw new S3Error('XMinioInvalidResource', `The description must not exceed ${DESCRIPTION_BYTES} bytes.`)
  }
}

function checkExpiration(iam: Iam, expiresAt: number): void {
  const left = expiresAt - iam.now()
  if (left >= MIN_LIFE_MS && left <= MAX_LIFE_MS) return
  throw new S3Error('XMinioInvalidResource', 'The expiration must be 15 minutes to 365 days from now.')
}

/** Returns the normal form of an embedded policy; undefined for an empty one, so that the parent's rights are inherited. */
export function normalizeEmbeddedPolicy(text: string): string | undefined {
  const parsed = parsePolicy(text, { purpose: 'service-account' })
  if (!parsed.ok) {
    const [problem] = parsed.errors
    throw new S3Error('XMinioMalformedIAMPolicy', problem ? problemText(problem) : 'The policy cannot be read.')
  }
  if (isEmptyPolicy(parsed.policy)) return undefined
  const policy = formatPolicy(parsed.policy, { indent: 0 })
  if (Buffer.byteLength(policy) <= ACCOUNT_POLICY_BYTES) return policy
  throw new S3Error(
    'XMinioIAMServiceAccountSessionPolicyTooLarge',
    `The embedded policy must not exceed ${ACCOUNT_POLICY_BYTES} characters.`,
  )
}

function notAllowed(message: string): S3Error {
  return new S3Error('XMinioIAMServiceAccountNotAllowed', message)
}
