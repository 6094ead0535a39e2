import { type Access, type CompiledPolicy, compilePolicy, policyFromJson } from '@stowage/iam-policy'
import type { Engine } from '../engine/types.ts'
import type { RootCredentials } from '../root-credentials.ts'
import { cannedText } from './canned.ts'
import { Collection, type PendingChange } from './collection.ts'
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
} from './records.ts'
import { SESSION_LIMITS, type SessionLimits } from './session-limits.ts'

export interface IamOptions {
  documents: Pick<Engine, 'listDocuments' | 'putDocuments'>
  root: RootCredentials
  /** ms since 1970; for tests. */
  now?: (() => number) | undefined
  /** Default: `SESSION_LIMITS`. */
  sessionLimits?: SessionLimits | undefined
}

/** Collections whose changes do not affect anyone's rights. */
const WITHOUT_RIGHTS: ReadonlySet<string> = new Set(['iam-sessions', 'iam-session-keys', 'iam-key-use'])

/**
 * Users, groups, policies and derived credentials. They are read once from the engine's documents, then served from memory, and
 * changed by the functions in the other files of this folder.
 */
export class Iam {
  readonly root: RootCredentials
  readonly now: () => number
  readonly users: Collection<UserRecord>
  readonly groups: Collection<GroupRecord>
  readonly policies: Collection<PolicyRecord>
  readonly userPolicies: Collection<MappingRecord>
  readonly groupPolicies: Collection<MappingRecord>
  readonly ldapUserPolicies: Collection<MappingRecord>
  readonly ldapGroupPolicies: Collection<MappingRecord>
  readonly sessions: Collection<SessionRecord>
  readonly sessionKeys: Collection<SessionKeyRecord>
  readonly sessionLimits: SessionLimits
  readonly serviceAccounts: Collection<ServiceAccountRecord>
  readonly keyUse: Collection<KeyUseRecord>
  readonly #documents: IamOptions['documents']
  readonly #compiled = new Map<string, CompiledPolicy>()
  readonly #rights = new Map<string, Rights>()
  /** The groups of users, by user name. Computed when first needed. */
  #memberships: ReadonlyMap<string, readonly string[]> | undefined
  #generation = 0
  #queue: Promise<void> = Promise.resolve()

  constructor({ documents, root, now = Date.now, sessionLimits = SESSION_LIMITS }: IamOptions) {
    this.root = root
    this.now = now
    this.sessionLimits = sessionLimits
    this.#documents = documents
    this.users = new Collection(documents, 'iam-users')
    this.groups = new Collection(documents, 'iam-groups')
    this.policies = new Collection(documents, 'iam-policies')
    this.userPolicies = new Collection(documents, 'iam-user-policies')
    this.groupPolicies = new Collection(documents, 'iam-group-policies')
    this.ldapUserPolicies = new Collection(documents, 'iam-ldap-user-policies')
    this.ldapGroupPolicies = new Collection(documents, 'iam-ldap-group-policies')
    this.sessions = new Collection(documents, 'iam-sessions')
    this.sessionKeys = new Collection(documents, 'iam-session-keys')
    this.serviceAccounts = new Collection(documents, 'iam-service-accounts')
    this.keyUse = new Collection(documents, 'iam-key-use')
  }

  /** Increases with each change that may affect rights. Data derived from an older generation is stale. */
  get generation(): number {
    return this.#generation
  }

  /**
   * Makes changes. Calls run in sequence, so that `plan` sees the current state. Resolves when the changes are durable.
   * @param plan returns the changes, or throws to make none
   */
  update(plan: () => PendingChange[]): Promise<void> {
    const done = this.#queue.then(async () => {
      const changes = plan()
      if (changes.length === 0) return
      await this.#documents.putDocuments(changes.map(({ document }) => document))
      for (const { apply } of changes) apply()
      // Every sign-in changes sessions, which does not affect rights.
      if (changes.every(({ document }) => WITHOUT_RIGHTS.has(document.collection))) return
      this.#generation++
      this.#rights.clear()
      // Keep unchanged policies: with thousands of them, each change would otherwise slow thousands of requests down.
      for (const { document } of changes) {
        if (document.collection === this.policies.name) this.#compiled.delete(document.name)
        else if (document.collection === this.groups.name) this.#memberships = undefined
      }
    })
    // A failure must not affect the next change in the queue.
    this.#queue = done.catch(() => undefined)
    return done
  }

  /** Returns the text of a policy, stored or built-in; a stored one takes precedence. */
  policyText(name: string): string | undefined {
    return this.policies.get(name)?.document ?? cannedText(name)
  }

  /** Returns the changes that delete the record of a key's last use: a later key with the same name has not been used. */
  forgetUse(accessKey: string): PendingChange[] {
    return this.keyUse.has(accessKey) ? [this.keyUse.change(accessKey, undefined)] : []
  }

  /** Returns the secret key of root or of a user, even if disabled. */
  secretOf(user: string): string | undefined {
    return user === this.root.accessKey ? this.root.secretKey : this.users.get(user)?.secretKey
  }

  /** Returns the names of a user's groups, sorted, including disabled groups. */
  groupsOf(user: string): readonly string[] {
    this.#memberships ??= membershipsIn(this.groups)
    return this.#memberships.get(user) ?? NO_GROUPS
  }

  /** Returns the names of the existing policies that apply to a user: its own and those of its groups. */
  policyNamesOf(user: string): string[] {
    return this.#rightsOf(user).names
  }

  /** Returns what a user may do: nothing if it is unknown, disabled or in a disabled group. */
  accessOf(user: string): Access {
    if (user === this.root.accessKey) return { policies: [], owner: true, principal: user }
    const { policies, suspended } = this.#rightsOf(user)
    return { policies, principal: user, ...(suspended ? { suspended } : {}) }
  }

  /** Returns the names of the policies that apply to an external user; some may not exist. */
  policyNamesOfExternal(user: string, external: ExternalUser): string[] {
    if (external.kind !== 'ldap') return external.policies
    const groups = external.groups.map((name) => this.ldapGroupPolicies.get(name))
    return [...new Set([this.ldapUserPolicies.get(user), ...groups].flatMap((mapping) => mapping?.policies ?? []))]
  }

  /** Like `accessOf`, for an external user. Policies that do not exist are ignored. */
  accessOfExternal(principal: string, external: ExternalUser): Access {
    const names = this.policyNamesOfExternal(principal, external)
    const policies = [...new Set(names)].flatMap((name) => this.#compile(name) ?? [])
    return { policies, principal, ...(policies.length === 0 ? { suspended: true } : {}) }
  }

  #rightsOf(user: string): Rights {
    const known = this.#rights.get(user)
    if (known) return known
    const rights = this.#findRights(user)
    this.#rights.set(user, rights)
    return rights
  }

  #findRights(user: string): Rights {
    if (this.users.get(user)?.status !== 'enabled') return NO_RIGHTS
    const groups = this.groupsOf(user)
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

function membershipsIn(groups: Collection<GroupRecord>): ReadonlyMap<string, readonly string[]> {
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

interface Rights {
  names: string[]
  policies: CompiledPolicy[]
  /** Whether the user has no rights at all, not even by bucket policies. */
  suspended: boolean
}
const NO_RIGHTS: Rights = { names: [], policies: [], suspended: true }
