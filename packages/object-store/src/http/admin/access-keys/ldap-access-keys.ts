import { ldapNotEnabled } from '../../../iam/ldap/ldap-directory.ts'
import { normalizeDn } from '../../../lib/distinguished-name.ts'
import { S3Error } from '../../../lib/errors.ts'
import { isActionNotDenied, requireAction } from '../../auth/authorize.ts'
import type { StoreCall, StoreServices } from '../../call/call.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { queryParameter, readSealed, requireIdentity, sendSealed } from '../endpoint/payload.ts'
import { LIST_KEYS_ACTION, listUserKeys, requestedKeyKinds } from './access-key-endpoints.ts'
import { createAndSendAccount, NewAccountBody, requireCreateAction } from './service-account-endpoints.ts'

/* Access keys of LDAP users, who are identified by distinguished name or by sign-in name. */

export const adminLdapAccessKeyEndpoints: AdminEndpoint[] = [
  {
    name: 'AddServiceAccountLDAP',
    method: 'PUT',
    path: 'idp/ldap/add-service-account',
    async handle(call) {
      requireDirectory(call)
      const { user, accessKey, external } = requireIdentity(call)
      const asked = await readSealed(call, NewAccountBody)
      const own = external?.kind === 'ldap' && ['', accessKey, user, external.username].includes(asked.targetUser)
      // Checked first, so that callers without the right do not learn who is in the directory.
      requireCreateAction(call, own ? user : asked.targetUser, asked.expiration)
      if (own) return await createAndSendAccount(call, asked, { parent: user, external })
      const found = asked.targetUser === '' ? undefined : await call.store.ldap.findMember(asked.targetUser)
      if (!found) throw new S3Error('XMinioAdminNoSuchUser', 'The directory has no user of this name.')
      const { dn: parent, username, groups } = found
      await createAndSendAccount(call, asked, { parent, external: { kind: 'ldap', username, groups } })
    },
  },
  {
    name: 'ListAccessKeysLDAP',
    method: 'GET',
    path: 'idp/ldap/list-access-keys',
    query: ['userDN', 'listType'],
    async handle(call) {
      requireDirectory(call)
      const kinds = requestedKeyKinds(call)
      const named = queryParameter(call, 'userDN')
      if (isSelf(call, named) && !isActionNotDenied(call, LIST_KEYS_ACTION))
        throw new S3Error('AccessDenied', 'Access Denied.')
      const user = await findLdapUserDn(call, named)
      const keys = listUserKeys(call.store, [user], kinds)[user]
      await sendSealed(call, keys ?? { serviceAccounts: [], stsKeys: [] })
    },
  },
  {
    name: 'ListAccessKeysLDAPBulk',
    method: 'GET',
    path: 'idp/ldap/list-access-keys-bulk',
    query: ['listType'],
    async handle(call) {
      requireDirectory(call)
      const kinds = requestedKeyKinds(call)
      const named = call.query.getAll('userDNs')
      const all = queryParameter(call, 'all') === 'true'
      if (all && named.length > 0) throw new S3Error('InvalidRequest', 'userDNs go without all.')
      const own = !all && named.every((name) => isSelf(call, name))
      if (all) requireAction(call, 'admin:ListUsers', {})
      if (!own) requireAction(call, LIST_KEYS_ACTION, {})
      else if (!isActionNotDenied(call, LIST_KEYS_ACTION)) throw new S3Error('AccessDenied', 'Access Denied.')
      const users = all
        ? directoryUsers(call.store)
        : await Promise.all(named.map((name) => findLdapUserDn(call, name)))
      const { user, external } = requireIdentity(call)
      const self = external?.kind === 'ldap' ? [user] : []
      await sendSealed(call, listUserKeys(call.store, own ? self : users, kinds))
    },
  },
]

function requireDirectory({ store }: StoreCall): void {
  if (!store.ldap.isConfigured) throw ldapNotEnabled()
}

function isSelf(call: StoreCall, name: string): boolean {
  const { user, external } = requireIdentity(call)
  return external?.kind === 'ldap' && (name === external.username || (normalizeDn(name) ?? name) === user)
}

/**
 * Returns the distinguished name of a user. Users with keys are found without the directory, even if it has deleted them.
 * @throws S3Error AccessDenied, XMinioAdminNoSuchUser
 */
async function findLdapUserDn(call: StoreCall, name: string): Promise<string> {
  const { user } = requireIdentity(call)
  if (isSelf(call, name)) return user
  requireAction(call, LIST_KEYS_ACTION, {})
  const dn = normalizeDn(name)
  if (dn !== undefined && directoryUsers(call.store).includes(dn)) return dn
  const known = await call.store.ldap.findUser(name)
  if (known === undefined) throw new S3Error('XMinioAdminNoSuchUser', 'The directory has no user of this name.')
  return known
}

/** Returns the distinguished names of all LDAP users with policies or keys, sorted. */
function directoryUsers({ iam }: Pick<StoreServices, 'iam'>): string[] {
  const users = new Set(iam.ldapUserPolicies.keys())
  for (const keys of [iam.sessions, iam.serviceAccounts]) {
    for (const [, { parent, external }] of keys.entries()) if (external?.kind === 'ldap') users.add(parent)
  }
  return [...users].toSorted()
}
