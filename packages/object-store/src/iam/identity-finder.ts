import { type CompiledPolicy, compilePolicy, policyFromJson } from '@stowage/iam-policy'
import { S3Error } from '../lib/errors.ts'
import type { Iam } from './iam.ts'
import type { ExternalUser, SessionRecord } from './iam-records.ts'
import type { IamIdentity } from './identity.ts'
import { serviceAccountPolicies, sessionPolicies } from './restricting-policies.ts'
import type { SessionKey } from './session-keys.ts'
import { readSessionToken } from './session-token.ts'
import { sessionTokenKey } from './sessions.ts'

/** Expired sessions are dropped when this many identities are cached. */
const MAX_KNOWN = 20_000

/** Maximum number of compiled policies that are kept; a text has at most 20 KiB. */
const MAX_SESSION_POLICIES = 500

/** Finds the identity of an access key. Identities are cached until IAM changes, so that a request only costs a look-up. */
export class IdentityFinder {
  readonly #sessionPolicies = new Map<string, CompiledPolicy>()
  readonly #iam: Iam
  readonly #known = new Map<string, KnownIdentity>()
  readonly #isRootAllowed: () => boolean
  readonly #isConfigured: (external: ExternalUser) => boolean
  #generation = -1

  /**
   * @param isRootAllowed called for each request of the root user or of a credential derived from it
   * @param isConfigured called for each request of a credential derived from an external user: whether the directory or the
   *   provider of that user is in use
   */
  constructor(
    iam: Iam,
    isRootAllowed: () => boolean = () => true,
    isConfigured: (external: ExternalUser) => boolean = () => true,
  ) {
    this.#iam = iam
    this.#isRootAllowed = isRootAllowed
    this.#isConfigured = isConfigured
  }

  /**
   * @param token the session token of the request
   * @throws S3Error InvalidAccessKeyId (unknown or disabled), InvalidToken, ExpiredToken
   */
  find(accessKey: string, token: string | undefined): IamIdentity {
    if (this.#generation !== this.#iam.generation) {
      this.#known.clear()
      this.#generation = this.#iam.generation
    }
    let known = this.#known.get(accessKey)
    if (!known || (known.session && this.#iam.sessions.get(accessKey) !== known.session.record)) {
      this.#known.delete(accessKey)
      known = this.#findIdentity(accessKey)
      if (this.#known.size >= MAX_KNOWN) this.#known.clear()
      this.#known.set(accessKey, known)
    }
    if (known.identity.user === this.#iam.root.accessKey && !this.#isRootAllowed()) throw disabledAccount()
    if (known.identity.external && !this.#isConfigured(known.identity.external)) throw disabledAccount()
    this.#checkToken(known, token)
    if (known.expiresAt !== undefined && known.expiresAt <= this.#iam.now()) {
      throw new S3Error('ExpiredToken', 'The provided token has expired.')
    }
    return known.identity
  }

  #findIdentity(accessKey: string): KnownIdentity {
    const iam = this.#iam
    if (accessKey === iam.root.accessKey) {
      return { identity: this.#identity(accessKey, iam.root.secretKey, 'root', accessKey, []) }
    }
    const user = iam.users.get(accessKey)
    if (user) {
      if (user.status !== 'enabled') throw disabledAccount()
      return { identity: this.#identity(accessKey, user.secretKey, 'user', accessKey, []) }
    }
    const session = iam.sessions.get(accessKey)
    if (session) return this.#sessionIdentity(accessKey, session)
    const account = iam.serviceAccounts.get(accessKey)
    if (!account) throw unknownKey()
    if (account.status !== 'on') throw disabledAccount()
    if (!account.external) this.#checkParent(account.parent)
    const own = serviceAccountPolicies(account)
    const { secretKey, parent, external } = account
    const identity = this.#identity(accessKey, secretKey, 'service-account', parent, own, external)
    return { identity, ...(account.expiresAt === undefined ? {} : { expiresAt: account.expiresAt }) }
  }

  #sessionIdentity(accessKey: string, record: SessionRecord): KnownIdentity {
    const { secretKey, parent, expiresAt, external } = record
    const key = sessionTokenKey(this.#iam, record)
    if (!key) throw unknownKey()
    if (!external) this.#checkParent(parent)
    const identity = this.#identity(accessKey, secretKey, 'session', parent, sessionPolicies(record), external)
    return { identity, expiresAt, session: { record, key } }
  }

  /** Checks the parent of a derived credential, which ends with its user, and is disabled while the user is. */
  #checkParent(parent: string): void {
    if (parent === this.#iam.root.accessKey) return
    const user = this.#iam.users.get(parent)
    if (!user) throw unknownKey()
    if (user.status !== 'enabled') throw disabledAccount()
  }

  #identity(
    accessKey: string,
    secretKey: string,
    kind: IamIdentity['kind'],
    user: string,
    narrowedBy: readonly string[],
    external?: ExternalUser,
  ): IamIdentity {
    const access = external ? this.#iam.externalAccess(user, external) : this.#iam.userAccess(user)
    const sessions = narrowedBy.map((policy) => this.#sessionPolicy(policy))
    return {
      accessKey,
      secretKey,
      kind,
      user,
      groups: external ? (external.kind === 'ldap' ? external.groups : []) : this.#iam.userGroups(user),
      ...(external ? { external } : {}),
      narrowedBy,
      access: sessions.length > 0 ? { ...access, sessions } : access,
    }
  }

  /** Compiles the policy of a session or service account once, because each request of it needs it. */
  #sessionPolicy(text: string): CompiledPolicy {
    const known = this.#sessionPolicies.get(text)
    if (known) return known
    const compiled = compilePolicy(policyFromJson(text), { name: 'session policy' })
    if (this.#sessionPolicies.size >= MAX_SESSION_POLICIES) this.#sessionPolicies.clear()
    this.#sessionPolicies.set(text, compiled)
    return compiled
  }

  /** Checks the session token. A session needs its token, signed by the store; other credentials must not have one. */
  #checkToken(known: KnownIdentity, token: string | undefined): void {
    const { session, identity } = known
    if (!session) {
      // Only sessions have tokens.
      if (token !== undefined && token !== '') throw invalidToken()
      return
    }
    if (token === undefined || token === '') throw invalidToken()
    if (token === known.token) return
    if (readSessionToken(token, session.key)?.accessKey !== identity.accessKey) throw invalidToken()
    known.token = token
  }
}

interface KnownIdentity {
  identity: IamIdentity
  expiresAt?: number
  /** For a session: its record, and the key that signed its token. */
  session?: { record: SessionRecord; key: SessionKey }
  /** The verified token. */
  token?: string
}

function invalidToken(): S3Error {
  return new S3Error('InvalidToken', 'The security token included in the request is invalid')
}

function unknownKey(): S3Error {
  return new S3Error('InvalidAccessKeyId', 'The Access Key Id you provided does not exist in our records.')
}

function disabledAccount(): S3Error {
  return new S3Error('InvalidAccessKeyId', 'Your account is disabled; please contact your administrator.')
}
