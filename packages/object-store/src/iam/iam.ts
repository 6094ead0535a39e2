import { type CallerAccess, type CompiledPolicy, compilePolicy, policyFromJson } from '@stowage/iam-policy'
import type { Engine } from '../engine/interface/types.ts'
import { SESSION_LIMITS, type SessionLimits } from '../lib/session-limits.ts'
import type { RootCredentials } from '../settings/root-credentials.ts'
import { cannedPolicyText } from './canned-policies.ts'
import { IamCollection, type PendingIamChange } from './collection.ts'
import type {
  ExternalUser,
  GroupRecord,
  KeyUseRecord,
  MappingRecord,
  PolicyRecord,
  ServiceAccountRecord,
  SessionKeyRecord,
  SessionRecord,
  UserRecord,
} from './iam-records.ts'

export interface IamOptions {
  documents: Pick<Engine, 'listDocuments' | 'putDocuments'>
  root: RootCredentials
  /** ms since 1970; for tests. */
  now?: (() => number) | undefined
  /** Default: `SESSION_LIMITS`. */
  sessionLimits?: SessionLimits | undefined
}

/** Collections whose changes do not affect anyone's rights. */
const COLLECTIONS_WITHOUT_RIGHTS: ReadonlySet<string> = new Set(['iam-sessions', 'iam-session-keys', 'iam-key-use'])

/**
 * Users, groups, policies and derived credentials. They are read once from the engine's documents, then served from memory, and
 * changed by the functions in the other files of this folder.
 */
export class Iam {
  readonly root: RootCredentials
  readonly now: () => number
  readonly users: IamCollection<UserRecord>
  readonly groups: IamCollection<GroupRecord>
  readonly policies: IamCollection<PolicyRecord>
  readonly userPolicies: IamCollection<MappingRecord>
  readonly groupPolicies: IamCollection<MappingRecord>
  readonly ldapUserPolicies: IamCollection<MappingRecord>
  readonly ldapGroupPolicies: IamCollection<MappingRecord>
  readonly sessions: IamCollection<SessionRecord>
  readonly sessionKeys: IamCollection<SessionKeyRecord>
  readonly sessionLimits: SessionLimits
  readonly serviceAccounts: IamCollection<ServiceAccountRecord>
  readonly keyUse: IamCollection<KeyUseRecord>
  readonly #documents: IamOptions['documents']
  readonly #compiled = new Map<string, CompiledPolicy>()
  readonly #rights = new Map<string, EffectiveRights>()
  /** The groups of users, by user name. Computed when first needed. */
  #groupsByUser: ReadonlyMap<string, readonly string[]> | undefined
  #generation = 0
  #queue: Promise<void> = Promise.resolve()

  constructor({ documents, root, now = Date.now, sessionLimits = SESSION_LIMITS }: IamOptions) {
    this.root = root
    this.now = now
    this.sessionLimits = sessionLimits
    this.#documents = documents
    this.users = new IamCollection(documents, 'iam-users')
    this.groups = new IamCollection(documents, 'iam-groups')
    this.policies = new IamCollection(documents, 'iam-policies')
    this.userPolicies = new IamCollection(documents, 'iam-user-policies')
    this.groupPolicies = new IamCollection(documents, 'iam-group-policies')
    this.ldapUserPolicies = new IamCollection(documents, 'iam-ldap-user-policies')
    this.ldapGroupPolicies = new IamCollection(documents, 'iam-ldap-group-policies')
    this.sessions = new IamCollection(documents, 'iam-sessions')
    this.sessionKeys = new IamCollection(documents, 'iam-session-keys')
    this.serviceAccounts = new IamCollection(documents, 'iam-service-accounts')
    this.keyUse = new IamCollection(documents, 'iam-key-use')
  }

  /** Increases with each change that may affect rights. Data derived from an older generation is stale. */
  get generation(): number {
    return this.#generation
  }

  /**
   * Makes changes. Calls run in sequence, so that `plan` sees the current state. Resolves when the changes are durable.
   * @param plan returns the changes, or throws to make none
   */
  update(plan: () => PendingIamChange[]): Promise<void> {
    const done = this.#queue.then(async () => {
      const changes = plan()
      if (changes.length === 0) return
      await this.#documents.putDocuments(changes.map(({ document }) => document))
      for (const { apply } of changes) apply()
      // Every sign-in changes sessions, which does not affect rights.
      if (changes.every(({ document }) => COLLECTIONS_WITHOUT_RIGHTS.has(document.collection))) return
      this.#generation++
      this.#rights.clear()
      // Keep unchanged policies: with thousands of them, each change would otherwise slow thousands of requests down.
      for (const { document } of changes) {
        if (document.collection === this.policies.name) this.#compiled.delete(document.name)
        else if (document.collection === this.groups.name) this.#groupsByUser = undefined
      }
    })
    // A failure must not affect the next change in the queue.
    this.#queue = done.catch(() => undefined)
    return done
  }

  /** Returns the text of a policy, stored or built-in; a stored one takes precedence. */
  policyText(name: string): string | undefined {
    return this.policies.get(name)?.document ?? cannedPolicyText(name)
  }

  /** Returns the changes that delete the record of a key's last use: a later key with the same name has not been used. */
  forgetUse(accessKey: string): PendingIamChange[] {
    return this.keyUse.has(accessKey) ? [this.keyUse.change(accessKey, undefined)] : []
  }

  /** Returns the secret key of root or of a user, even if disabled. */
  userSecretKey(user: string): string | undefined {
    return user === this.root.accessKey ? this.root.secretKey : this.users.get(user)?.secretKey
  }

  /** Returns the names of a user's groups, sorted, including disabled groups. */
  userGroups(user: string): readonly string[] {
    this.#groupsByUser ??= groupsByUser(this.groups)
    return this.#groupsByUser.get(user) ?? NO_GROUPS
  }

  /** Returns the names of the existing policies that apply to a user: its own and those of its groups. */
  userPolicyNames(user: string): string[] {
    return this.#effectiveRights(user).names
  }

  /** Returns what a user may do: nothing if it is unknown, disabled or in a disabled group. */
  userAccess(user: string): CallerAccess {
    if (user === this.root.accessKey) return { policies: [], owner: true, principal: user }
    const { policies, suspended } = this.#effectiveRights(user)
    return { policies, principal: user, ...(suspended ? { suspended } : {}) }
  }

  /** Returns the names of the policies that apply to an external user; some may not exist. */
  externalPolicyNames(user: string, external: ExternalUser): string[] {
    if (external.kind !== 'ldap') return external.policies
    const groups = external.groups.map((name) => this.ldapGroupPolicies.get(name))
    return [...new Set([this.ldapUserPolicies.get(user), ...groups].flatMap((mapping) => mapping?.policies ?? []))]
  }

  /** Like `userAccess`, for an external user. Policies that do not exist are ignored. */
  externalAccess(principal: string, external: ExternalUser): CallerAccess {
    const names = this.externalPolicyNames(principal, external)
    const policies = [...new Set(names)].flatMap((name) => this.#compile(name) ?? [])
    return { policies, principal, ...(policies.length === 0 ? { suspended: true } : {}) }
  }

  #effectiveRights(user: string): EffectiveRights {
    const known = this.#rights.get(user)
    if (known) return known
    const rights = this.#findRights(user)
    this.#rights.set(user, rights)
    return rights
  }

  #findRights(user: string): EffectiveRights {
    if (this.users.get(user)?.status !== 'enabled') return NO_RIGHTS
    const groups = this.userGroups(user)
    if (groups.some((name) => this.groups.get(name)?.status !== 'enabled')) return NO_RIGHTS
    const mapped = [this.userPolicies.get(user), ...groups.map((name) => this.groupPolicies.get(name))]
    const names = [...new Set(mapped.flatMap((mapping) => mapping?.policies ?? []))]
    const found = names.flatMap((name) => {
      const policy = this.#compile(name)
      return policy ? [{ name, policy }] : []
    })
    return { names: found.map(({ name }) => name), policies: found.map(({ policy }) => policy), suspended: false }
  }

  #compile(name: string): CompiledPolicy | undefined {
    const known = this.#compiled.get(name)
    if (known) return known
    const text = this.policyText(name)
    if (text === undefined) return undefined
    const policy = compilePolicy(policyFromJson(text), { name })
    this.#compiled.set(name, policy)
    return policy
  }
}

const NO_GROUPS: readonly string[] = []

function groupsByUser(groups: IamCollection<GroupRecord>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const [name, { members }] of [...groups.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    for (const member of new Set(members)) {
      const known = found.get(member)
      if (known) known.push(name)
      else found.set(member, [name])
    }
  }
  return found
}

interface EffectiveRights {
  names: string[]
  policies: CompiledPolicy[]
  /** Whether the user has no rights at all, not even by bucket policies. */
  suspended: boolean
}
const NO_RIGHTS: EffectiveRights = { names: [], policies: [], suspended: true }
