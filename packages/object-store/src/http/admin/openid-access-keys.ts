import { S3Error } from '../../errors.ts'
import { type ProviderKey, providerKeyOf } from '../../iam/openid/providers.ts'
import type { ExternalUser } from '../../iam/records.ts'
import { isNotDenied, requireAllowed } from '../authorize.ts'
import type { Call } from '../call.ts'
import { accountSummary, sessionSummary } from './access-key-info.ts'
import { keyKindsOf, LIST, type UserKeys } from './access-keys.ts'
import type { AdminEndpoint } from './endpoint.ts'
import { parameter, requireIdentity, sendSealed } from './payload.ts'

const SUBSYSTEM = 'identity_openid'
/** Claims by which people recognize a user, the best one first. */
const READABLE_CLAIMS = ['preferred_username', 'email', 'name'] as const

/** The keys of a user of a provider, with MinIO's member names. */
interface OpenIdUserKeys extends UserKeys {
  /** The parent of the keys. */
  minioAccessKey: string
  /** The claim `sub`. */
  ID: string
  readableName: string
}

export const openIdAccessKeyEndpoints: AdminEndpoint[] = [
  {
    name: 'ListAccessKeysOpenIDBulk',
    method: 'GET',
    path: 'idp/openid/list-access-keys-bulk',
    query: ['listType'],
    actions: undefined,
    async handle(call) {
      const kinds = keyKindsOf(call)
      const named = call.query.getAll('users')
      const all = parameter(call, 'all') === 'true'
      if (all && named.length > 0) throw new S3Error('InvalidRequest', 'users go without all.')
      const { user, external } = requireIdentity(call)
      const own = !all && named.every((name) => name === user || (name !== '' && name === subjectOf(external)))
      if (all) requireAllowed(call, 'admin:ListUsers', {})
      if (!own) requireAllowed(call, LIST, {})
      else if (!isNotDenied(call, LIST)) throw new S3Error('AccessDenied', 'Access Denied.')
      const isAsked = all
        ? () => true
        : own
          ? (parent: string) => parent === user
          : (parent: string, subject: string) => named.includes(parent) || (subject !== '' && named.includes(subject))
      await sendSealed(
        call,
        targetsOf(call).map((target) => ({
          configName: target.name,
          users: usersOf(call, target, kinds, isAsked),
        })),
      )
    },
  },
]

interface Target extends ProviderKey {
  name: string
}

/**
 * Returns the providers that the caller asks for: one, by default `_`, or all.
 * @throws S3Error XMinioAdminNoSuchConfigTarget
 */
function targetsOf(call: Call): Target[] {
  const { config } = call.store
  const names = config.targets(SUBSYSTEM)
  const wanted = parameter(call, 'configName') || '_'
  const asked = parameter(call, 'allConfigs') === 'true' ? names : names.filter((name) => name === wanted)
  if (asked.length === 0) {
    throw new S3Error('XMinioAdminNoSuchConfigTarget', 'No such named configuration target exists')
  }
  return asked.map((name) => ({ name, ...providerKeyOf(config.values(SUBSYSTEM, name)) }))
}

/** Returns the users of a provider with keys of these kinds, by parent. Without a kind, returns all its users. */
function usersOf(
  call: Call,
  target: Target,
  kinds: { sessions: boolean; accounts: boolean },
  isAsked: (parent: string, subject: string) => boolean,
): OpenIdUserKeys[] {
  const { iam, keyUse } = call.store
  const users = new Map<string, OpenIdUserKeys>()
  const find = (parent: string, external: ExternalUser | undefined): OpenIdUserKeys | undefined => {
    if (!isOf(target, external)) return undefined
    const ID = subjectOf(external)
    if (!isAsked(parent, ID)) return undefined
    const known = users.get(parent)
    if (known) return known
    const user = { minioAccessKey: parent, ID, readableName: readableName(external), serviceAccounts: [], stsKeys: [] }
    users.set(parent, user)
    return user
  }
  const usersOnly = !kinds.accounts && !kinds.sessions
  if (kinds.accounts || usersOnly) {
    for (const [accessKey, account] of iam.serviceAccounts.entries()) {
      const user = find(account.parent, account.external)
      if (kinds.accounts) user?.serviceAccounts.push(accountSummary(accessKey, account, keyUse))
    }
  }
  if (kinds.sessions || usersOnly) {
    for (const [accessKey, session] of iam.sessions.entries()) {
      if (session.expiresAt <= iam.now()) continue
      const user = find(session.parent, session.external)
      if (kinds.sessions) user?.stsKeys.push(sessionSummary(accessKey, session))
    }
  }
  return [...users.values()].toSorted((a, b) => (a.minioAccessKey < b.minioAccessKey ? -1 : 1))
}

function isOf({ configUrl, clientId }: Target, external: ExternalUser | undefined): boolean {
  if (!external || external.kind === 'ldap') return false
  return external.provider?.configUrl === configUrl && external.provider.clientId === clientId
}

function subjectOf(external: ExternalUser | undefined): string {
  return claimOf(external, 'sub')
}

function readableName(external: ExternalUser | undefined): string {
  return READABLE_CLAIMS.map((claim) => claimOf(external, claim)).find((value) => value !== '') ?? ''
}

function claimOf(external: ExternalUser | undefined, claim: string): string {
  return external && external.kind !== 'ldap' ? (external.claims[claim]?.[0] ?? '') : ''
}
