import type { ExternalUser } from '../../../iam/iam-records.ts'
import { S3Error } from '../../../lib/errors.ts'
import { isActionNotDenied, requireAction } from '../../auth/authorize.ts'
import type { StoreCall, StoreServices } from '../../call/call.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { queryParameter, requireIdentity, sendSealed } from '../endpoint/payload.ts'
import { accessKeyInfo, serviceAccountSummary, sessionInfo, sessionSummary } from './access-key-info.ts'

const KEY_KINDS: Readonly<Record<string, { sessions: boolean; accounts: boolean }>> = {
  'users-only': { sessions: false, accounts: false },
  'sts-only': { sessions: true, accounts: false },
  'svcacc-only': { sessions: false, accounts: true },
  all: { sessions: true, accounts: true },
}
export const LIST_KEYS_ACTION = 'admin:ListServiceAccounts'

/** Returns the kinds of keys that the caller asks for. @throws S3Error InvalidRequest */
export function requestedKeyKinds(call: StoreCall) {
  const kinds = KEY_KINDS[queryParameter(call, 'listType')]
  if (!kinds) throw new S3Error('InvalidRequest', 'listType is users-only, sts-only, svcacc-only or all.')
  return kinds
}

export const adminAccessKeyEndpoints: AdminEndpoint[] = [
  {
    name: 'ListAccessKeysBulk',
    method: 'GET',
    path: 'list-access-keys-bulk',
    query: ['listType'],
    async handle(call) {
      const { iam } = call.store
      const { user: self, accessKey } = requireIdentity(call)
      const named = call.query.getAll('users')
      const all = queryParameter(call, 'all') === 'true'
      const kinds = requestedKeyKinds(call)
      if (all && named.length > 0) throw new S3Error('InvalidRequest', 'users go without all.')
      const own = !all && named.every((name) => name === self || name === accessKey)
      if (all) requireAction(call, 'admin:ListUsers', {})
      if (!own) requireAction(call, LIST_KEYS_ACTION, {})
      else if (!isActionNotDenied(call, LIST_KEYS_ACTION)) throw new S3Error('AccessDenied', 'Access Denied.')
      const users = own
        ? [self]
        : all
          ? [...iam.users.entries()].map(([name]) => name).concat(iam.root.accessKey)
          : named
      const known = users.filter((user) => iam.userSecretKey(user) !== undefined)
      await sendSealed(call, listUserKeys(call.store, known, kinds))
    },
  },
  {
    name: 'InfoAccessKey',
    method: 'GET',
    path: 'info-access-key',
    query: ['accessKey'],
    async handle(call) {
      const { iam } = call.store
      const identity = requireIdentity(call)
      const accessKey = queryParameter(call, 'accessKey') || identity.accessKey
      const session = iam.sessions.get(accessKey)
      const account = iam.serviceAccounts.get(accessKey)
      // A caller without the right learns nothing, not even whether the key exists.
      if ((session ?? account)?.parent !== identity.user) requireAction(call, LIST_KEYS_ACTION, {})
      const kind = session
        ? { userType: 'STS', ...sessionInfo(iam, session) }
        : account && { userType: 'Service Account', ...accessKeyInfo(iam, account) }
      if (!kind) throw noSuchAccessKey()
      await sendSealed(call, { AccessKey: accessKey, ...kind, ...providerMembers((session ?? account)?.external) })
    },
  },
  {
    name: 'TemporaryAccountInfo',
    method: 'GET',
    path: 'temporary-account-info',
    query: ['accessKey'],
    async handle(call) {
      const { iam } = call.store
      const session = iam.sessions.get(queryParameter(call, 'accessKey'))
      if (!session) throw noSuchAccessKey()
      await sendSealed(call, sessionInfo(iam, session))
    },
  },
]

export interface UserAccessKeys {
  serviceAccounts: object[]
  stsKeys: object[]
}

/** The keys of each user. In a list of one kind, users without keys of that kind are left out. */
export function listUserKeys(
  { iam, keyUse }: Pick<StoreServices, 'iam' | 'keyUse'>,
  users: readonly string[],
  kinds: { sessions: boolean; accounts: boolean },
): Record<string, UserAccessKeys> {
  const keys = new Map(users.map((user): [string, UserAccessKeys] => [user, { serviceAccounts: [], stsKeys: [] }]))
  if (kinds.accounts) {
    for (const [accessKey, account] of iam.serviceAccounts.entries()) {
      keys.get(account.parent)?.serviceAccounts.push(serviceAccountSummary(accessKey, account, keyUse))
    }
  }
  if (kinds.sessions) {
    for (const [accessKey, session] of iam.sessions.entries()) {
      if (session.expiresAt > iam.now()) keys.get(session.parent)?.stsKeys.push(sessionSummary(accessKey, session))
    }
  }
  const oneKind = kinds.accounts !== kinds.sessions
  return Object.fromEntries(
    [...keys].filter(([, { serviceAccounts, stsKeys }]) => !oneKind || serviceAccounts.length + stsKeys.length > 0),
  )
}

function providerMembers(external: ExternalUser | undefined): object {
  if (external?.kind === 'ldap') {
    return { userProvider: 'ldap', ldapSpecificInfo: { username: external.username } }
  }
  return { userProvider: external ? 'openid' : 'builtin' }
}

function noSuchAccessKey(): S3Error {
  return new S3Error('XMinioAdminNoSuchAccessKey', 'The specified access key does not exist.')
}
