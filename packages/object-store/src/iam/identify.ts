import { compilePolicy, policyFromJson } from '@stowage/iam-policy'
import { S3Error } from '../errors.ts'
import type { Iam } from './iam.ts'
import type { Identity } from './identity.ts'
import { policiesOfAccount, policiesOfSession } from './own-policy.ts'
import type { SessionRecord } from './records.ts'
import type { SessionKey } from './session-keys.ts'
import { readSessionToken } from './session-token.ts'
import { keyOfSession } from './sessions.ts'

/** Sessions that have ended are forgotten when so many identities have been met. */
const MAX_KNOWN = 20_000

/**
 * Finds who an access key stands for. Identities are remembered until IAM changes, so that a request costs a look-up.
 */
export class Identifier {
  readonly #iam: Iam
  readonly #known = new Map<string, Known>()
  #generation = -1

  constructor(iam: Iam) {
    this.#iam = iam
  }

  /**
   * @param token what the request carries as session token
   * @throws S3Error InvalidAccessKeyId (unknown or disabled), InvalidToken, ExpiredToken
   */
  find(accessKey: string, token: string | undefined): Identity {
    if (this.#generation !== this.#iam.generation) {
      this.#known.clear()
      this.#generation = this.#iam.generation
    }
    let known = this.#known.get(accessKey)
    if (!known || (known.session && this.#iam.sessions.get(accessKey) !== known.session.record)) {
      this.#known.delete(accessKey)
      known = this.#look(accessKey)
      if (this.#known.size >= MAX_KNOWN) this.#known.clear()
      this.#known.set(accessKey, known)
    }
    this.#checkToken(known, token)
    if (known.expiresAt !== undefined && known.expiresAt <= this.#iam.now()) {
      throw new S3Error('ExpiredToken', 'The provided token has expired.')
    }
    return known.identity
  }

  #look(accessKey: string): Known {
    const iam = this.#iam
    if (accessKey === iam.root.accessKey) {
      return { identity: this.#identity(accessKey, iam.root.secretKey, 'root', accessKey, []) }
    }
    const user = iam.users.get(accessKey)
    if (user) {
      if (user.status !== 'enabled') throw disabled()
      return { identity: this.#identity(accessKey, user.secretKey, 'user', accessKey, []) }
    }
    const session = iam.sessions.get(accessKey)
    if (session) return this.#ofSession(accessKey, session)
    const account = iam.serviceAccounts.get(accessKey)
    if (!account) throw unknown()
    if (account.status !== 'on') throw disabled()
    this.#checkParent(account.parent)
    const own = policiesOfAccount(account)
    const identity = this.#identity(accessKey, account.secretKey, 'service-account', account.parent, own)
    return { identity, ...(account.expiresAt === undefined ? {} : { expiresAt: account.expiresAt }) }
  }

  #ofSession(accessKey: string, record: SessionRecord): Known {
    const { secretKey, parent, expiresAt } = record
    const key = keyOfSession(this.#iam, record)
    if (!key) throw unknown()
    this.#checkParent(parent)
    const identity = this.#identity(accessKey, secretKey, 'session', parent, policiesOfSession(record))
    return { identity, expiresAt, session: { record, key } }
  }

  /** What is derived from a user ends with it, and rests while it is disabled. */
  #checkParent(parent: string): void {
    if (parent === this.#iam.root.accessKey) return
    const user = this.#iam.users.get(parent)
    if (!user) throw unknown()
    if (user.status !== 'enabled') throw disabled()
  }

  #identity(
    accessKey: string,
    secretKey: string,
    kind: Identity['kind'],
    user: string,
    narrowedBy: readonly string[],
  ): Identity {
    const access = this.#iam.accessOf(user)
    const sessions = narrowedBy.map((policy) => compilePolicy(policyFromJson(policy), { name: 'session policy' }))
    return {
      accessKey,
      secretKey,
      kind,
      user,
      groups: this.#iam.groupsOf(user),
      narrowedBy,
      access: sessions.length > 0 ? { ...access, sessions } : access,
    }
  }

  /** A session is only good with its token, which only the store can have signed; others must carry none. */
  #checkToken(known: Known, token: string | undefined): void {
    const { session, identity } = known
    if (!session) {
      // Service accounts have no token that a client knows of; root and users have none.
      if (token !== undefined && token !== '') throw invalidToken()
      return
    }
    if (token === undefined || token === '') throw invalidToken()
    if (token === known.token) return
    if (readSessionToken(token, session.key)?.accessKey !== identity.accessKey) throw invalidToken()
    known.token = token
  }
}

interface Known {
  identity: Identity
  expiresAt?: number
  /** Of a session: what it was found as, and what its token was signed with. */
  session?: { record: SessionRecord; key: SessionKey }
  /** The token that was found good. */
  token?: string
}

function invalidToken(): S3Error {
  return new S3Error('InvalidToken', 'The security token included in the request is invalid')
}

function unknown(): S3Error {
  return new S3Error('InvalidAccessKeyId', 'The Access Key Id you provided does not exist in our records.')
}

function disabled(): S3Error {
  return new S3Error('InvalidAccessKeyId', 'Your account is disabled; please contact your administrator.')
}
