import type { ExternalUser } from '../../../iam/iam-records.ts'
import { type OpenIdProviderKey, readProviderKey } from '../../../iam/openid/openid-providers.ts'
import { S3Error } from '../../../lib/errors.ts'
import { isActionNotDenied, requireAction } from '../../auth/authorize.ts'
import type { StoreCall } from '../../call/call.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { queryParameter, requireIdentity, sendSealed } from '../endpoint/payload.ts'
import { LIST_KEYS_ACTION, requestedKeyKinds, type UserAccessKeys } from './access-key-endpoints.ts'
import { serviceAccountSummary, sessionSummary } from './access-key-info.ts'

const SUBSYSTEM = 'identity_openid'
/** Claims by which people recognize a user, the best one first. */
const READABLE_CLAIMS = ['preferred_username', 'email', 'name'] as const

/** The keys of a user of a provider, with MinIO's member names. */
interface OpenIdUserKeys extends UserAccessKeys {
  /** The parent of the keys. */
  minioAccessKey: string
  /** The claim `sub`. */
  ID: string
  readableName: string
}

export const adminOpenIdAccessKeyEndpoints: AdminEndpoint[] = [
  {
    name: 'ListAccessKeysOpenIDBulk',
    method: 'GET',
    path: 'idp/openid/list-access-keys-bulk',
    query: ['listType'],
    async handle(call) {
      const kinds = requestedKeyKinds(call)
      const named = call.query.getAll('users')
      const all = queryParameter(call, 'all') === 'true'
      if (all && named.length > 0) throw new S3Error('InvalidRequest', 'users go without all.')
      const { user, external } = requireIdentity(call)
      const own = !all && named.every((name) => name === user || (name !== '' && name === subjectClaim(external)))
      if (all) requireAction(call, 'admin:ListUsers', {})
      if (!own) requireAction(call, LIST_KEYS_ACTION, {})
      else if (!isActionNotDenied(call, LIST_KEYS_ACTION)) throw new S3Error('AccessDenied', 'Access Denied.')
      const isAsked = all
        ? () => true
        : own
          ? (parent: string) => parent === user
          : (parent: string, subject: string) => named.includes(parent) || (subject !== '' && named.includes(subject))
      await sendSealed(
        call,
        requestedProviders(call).map((target) => ({
          configName: target.name,
          users: listProviderUsers(call, target, kinds, isAsked),
        })),
      )
    },
  },
]

interface OpenIdTarget extends OpenIdProviderKey {
  name: string
}

/**
 * Returns the providers that the caller asks for: one, by default `_`, or all.
 * @throws S3Error XMinioAdminNoSuchConfigTarget
 */
function requestedProviders(call: StoreCall): OpenIdTarget[] {
  const { config } = call.store
  const names = config.targets(SUBSYSTEM)
  const wanted = queryParameter(call, 'configName') || '_'
  const asked = queryParameter(call, 'allConfigs') === 'true' ? names : names.filter((name) => name === wanted)
  if (asked.length === 0) {
    throw new S3Error('XMinioAdminNoSuchConfigTarget', 'No such named configuration target exists')
  }
  return asked.map((name) => ({ name, ...readProviderKey(config.values(SUBSYSTEM, name)) }))
}

/** Returns the users of a provider with keys of these kinds, by parent. Without a kind, returns all its users. */
function listProviderUsers(
  call: StoreCall,
  target: OpenIdTarget,
  kinds: { sessions: boolean; accounts: boolean },
  isAsked: (parent: string, subject: string) => boolean,
): OpenIdUserKeys[] {
  const { iam, keyUse } = call.store
  const users = new Map<string, OpenIdUserKeys>()
  const find = (parent: string, external: ExternalUser | undefined): OpenIdUserKeys | undefined => {
    if (!belongsTo(target, external)) return undefined
    const ID = subjectClaim(external)
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
      if (kinds.accounts) user?.serviceAccounts.push(serviceAccountSummary(accessKey, account, keyUse))
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

function belongsTo({ configUrl, clientId }: OpenIdTarget, external: ExternalUser | undefined): boolean {
  if (!external || external.kind === 'ldap') return false
  return external.provider?.configUrl === configUrl && external.provider.clientId === clientId
}

function subjectClaim(external: ExternalUser | undefined): string {
  return claimText(external, 'sub')
}

function readableName(external: ExternalUser | undefined): string {
  return READABLE_CLAIMS.map((claim) => claimText(external, claim)).find((value) => value !== '') ?? ''
}

function claimText(external: ExternalUser | undefined, claim: string): string {
  return external && external.kind !== 'ldap' ? (external.claims[claim]?.[0] ?? '') : ''
}
