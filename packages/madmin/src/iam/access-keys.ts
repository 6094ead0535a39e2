import { asList, asObject, asText, pickMember } from '../transport/json-values.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'
import { readServiceAccount, type ServiceAccountInfo } from './service-accounts.ts'

/** A service account in a list of many users. */
export interface ListedAccount extends ServiceAccountInfo {
  /** Whether the server returned more than access key and expiration. MinIO does not; the other members are then empty. */
  readonly detailed: boolean
}

/**
 * Lists service accounts by user, of some users or of all. Supported since August 2024. Needs `admin:ListServiceAccounts`, and
 * for all users `admin:ListUsers`.
 * @throws MadminError AccessDenied, XMinioAdminVersionMismatch (older server)
 */
export async function listAccessKeys(
  t: Transport,
  which: { users: readonly string[] } | 'all',
  options?: AdminCallOptions,
): Promise<Record<string, ListedAccount[]>> {
  const query = { listType: 'svcacc-only', ...(which === 'all' ? { all: 'true' } : { users: which.users }) }
  return readAccountsByUser(await t.call({ method: 'GET', path: 'list-access-keys-bulk', query, ...options }))
}

/**
 * Lists service accounts of all users of a directory (LDAP), by distinguished name. Needs the same rights as `listAccessKeys`.
 * @throws MadminError AccessDenied; an `unsupported` one if the server has no directory or is older
 */
export async function listLdapAccessKeys(
  t: Transport,
  options?: AdminCallOptions,
): Promise<Record<string, ListedAccount[]>> {
  const query = { listType: 'svcacc-only', all: 'true' }
  return readAccountsByUser(await t.call({ method: 'GET', path: 'idp/ldap/list-access-keys-bulk', query, ...options }))
}

/** A service account of a user of an OpenID provider. */
export interface ListedOpenIdAccount extends ListedAccount {
  /** A name for people; empty if the provider sends none. The parent is a hash. */
  readonly ownerName: string
}

/**
 * Lists service accounts of all users of all OpenID providers. Supported since April 2025. Needs the same rights as
 * `listAccessKeys`.
 * @throws MadminError AccessDenied, OpenIDNotEnabled (a `rawCode`); an `unsupported` one if the server is older
 */
export async function listOpenIdAccessKeys(t: Transport, options?: AdminCallOptions): Promise<ListedOpenIdAccount[]> {
  const query = { listType: 'svcacc-only', all: 'true', allConfigs: 'true' }
  const answer = await t.call({ method: 'GET', path: 'idp/openid/list-access-keys-bulk', query, ...options })
  return asList(answer)
    .flatMap((provider) => asList(pickMember(provider, 'users')))
    .flatMap((user) => {
      const ownerName = asText(pickMember(user, 'readableName')) || asText(pickMember(user, 'ID'))
      return readUserAccounts(user, asText(pickMember(user, 'minioAccessKey'))).map((account) => ({
        ...account,
        ownerName,
      }))
    })
}

function readAccountsByUser(answer: unknown): Record<string, ListedAccount[]> {
  return Object.fromEntries(
    Object.entries(asObject(answer)).map(([user, keys]) => [user, readUserAccounts(keys, user)]),
  )
}

function readUserAccounts(keys: unknown, user: string): ListedAccount[] {
  return asList(pickMember(keys, 'serviceAccounts')).map((account) => {
    const read = readServiceAccount(account)
    return { ...read, parentUser: user, detailed: read.parentUser !== '' }
  })
}
