import { S3Error } from '../../errors.ts'
import { ldapNotEnabled } from '../../iam/ldap/directory.ts'
import { normalizeDn } from '../../iam/ldap/dn.ts'
import { isNotDenied, requireAllowed } from '../authorize.ts'
import type { Call, Store } from '../call.ts'
import { keyKindsOf, keysOfUsers, LIST } from './access-keys.ts'
import type { AdminEndpoint } from './endpoint.ts'
import { parameter, readSealed, requireIdentity, sendSealed } from './payload.ts'
import { addAccount, NewAccount, requireCreateRight } from './service-accounts.ts'

/* Access keys of LDAP users, who are identified by distinguished name or by sign-in name. */

export const ldapAccessKeyEndpoints: AdminEndpoint[] = [
  {
    name: 'AddServiceAccountLDAP',
    method: 'PUT',
    path: 'idp/ldap/add-service-account',
    actions: undefined,
    async handle(call) {
      requireDirectory(call)
      const { user, accessKey, external } = requireIdentity(call)
      const asked = await readSealed(call, NewAccount)
      const own = external?.kind === 'ldap' && ['', accessKey, user, external.username].includes(asked.targetUser)
      // Checked first, so that callers without the right do not learn who is in the directory.
      requireCreateRight(call, own ? user : asked.targetUser, asked.expiration)
      if (own) return await addAccount(call, asked, { parent: user, external })
      const found = asked.targetUser === '' ? undefined : await call.store.ldap.findMember(asked.targetUser)
      if (!found) throw new S3Error('XMinioAdminNoSuchUser', 'The directory has no user of this name.')
      const { dn: parent, username, groups } = found
      await addAccount(call, asked, { parent, external: { kind: 'ldap', username, groups } })
    },
  },
  {
    name: 'ListAccessKeysLDAP',
    method: 'GET',
    path: 'idp/ldap/list-access-keys',
    query: ['userDN', 'listType'],
    actions: undefined,
    async handle(call) {
      requireDirectory(call)
      const kinds = keyKindsOf(call)
      const named = parameter(call, 'userDN')
      if (isSelf(call, named) && !isNotDenied(call, LIST)) throw new S3Error('AccessDenied', 'Access Denied.')
      const user = await found(call, named)
      const keys = keysOfUsers(call.store, [user], kinds)[user]
      await sendSealed(call, keys ?? { serviceAccounts: [], stsKeys: [] })
    },
  },
  {
    name: 'ListAccessKeysLDAPBulk',
    method: 'GET',
    path: 'idp/ldap/list-access-keys-bulk',
    query: ['listType'],
    actions: undefined,
    async handle(call) {
      requireDirectory(call)
      const kinds = keyKindsOf(call)
      const named = call.query.getAll('userDNs')
      const all = parameter(call, 'all') === 'true'
      if (all && named.length > 0) throw new S3Error('InvalidRequest', 'userDNs go without all.')
      const own = !all && named.every((name) => isSelf(call, name))
      if (all) requireAllowed(call, 'admin:ListUsers', {})
      if (!own) requireAllowed(call, LIST, {})
      else if (!isNotDenied(call, LIST)) throw new S3Error('AccessDenied', 'Access Denied.')
      const users = all ? directoryUsers(call.store) : await Promise.all(named.map((name) => found(call, name)))
      const { user, external } = requireIdentity(call)
      const self = external?.kind === 'ldap' ? [user] : []
      await sendSealed(call, keysOfUsers(call.store, own ? self : users, kinds))
    },
  },
]

function requireDirectory({ store }: Call): void {
  if (!store.ldap.isConfigured) throw ldapNotEnabled()
}

function isSelf(call: Call, name: string): boolean {
  const { user, external } = requireIdentity(call)
  return external?.kind === 'ldap' && (name === external.username || (normalizeDn(name) ?? name) === user)
}

/**
 * Returns the distinguished name of a user. Users with keys are found without the directory, even if it has deleted them.
 * @throws S3Error AccessDenied, XMinioAdminNoSuchUser
 */
async function found(call: Call, name: string): Promise<string> {
  const { user } = requireIdentity(call)
  if (isSelf(call, name)) return user
  requireAllowed(call, LIST, {})
  const dn = normalizeDn(name)
  if (dn !== undefined && directoryUsers(call.store).includes(dn)) return dn
  const known = await call.store.ldap.findUser(name)
  if (known === undefined) throw new S3Error('XMinioAdminNoSuchUser', 'The directory has no user of this name.')
  return known
}

/** Returns the distinguished names of all LDAP users with policies or keys, sorted. */
function directoryUsers({ iam }: Pick<Store, 'iam'>): string[] {
  const users = new Set(iam.ldapUserPolicies.keys())
  for (const keys of [iam.sessions, iam.serviceAccounts]) {
    for (const [, { parent, external }] of keys.entries()) if (external?.kind === 'ldap') users.add(parent)
  }
  return [...users].toSorted()
}
