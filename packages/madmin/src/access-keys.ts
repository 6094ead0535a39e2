import { at, listOf, objectOf } from './json.ts'
import { readServiceAccount, type ServiceAccount } from './service-accounts.ts'
import type { CallOptions, Transport } from './transport.ts'

/** A service account in a list of many users. */
export interface ListedAccount extends ServiceAccount {
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
  options?: CallOptions,
): Promise<Record<string, ListedAccount[]>> {
  const query = { listType: 'svcacc-only', ...(which === 'all' ? { all: 'true' } : { users: which.users }) }
  const answer = await t.call({ method: 'GET', path: 'list-access-keys-bulk', query, ...options })
  return Object.fromEntries(
    Object.entries(objectOf(answer)).map(([user, keys]) => [
      user,
      listOf(at(keys, 'serviceAccounts')).map((account) => {
        const read = readServiceAccount(account)
        return { ...read, parentUser: user, detailed: read.parentUser !== '' }
      }),
    ]),
  )
}
