import { compilePolicy, policyFromJson } from '@stowage/iam-policy'
import { S3Error } from '../errors.ts'
import type { Iam } from './iam.ts'
import type { Identity } from './identity.ts'
import { inheritsAll } from './own-policy.ts'
import { readSessionToken } from './session-token.ts'

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
    if (!known) {
      known = this.#look(accessKey)
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
      return { identity: this.#identity(accessKey, iam.root.secretKey, 'root', accessKey, undefined) }
    }
    const user = iam.users.get(accessKey)
    if (user) {
      if (user.status !== 'enabled') throw disabled()
      return { identity: this.#identity(accessKey, user.secretKey, 'user', accessKey, undefined) }
    }
    const session = iam.sessions.get(accessKey)
    if (session) {
      const { secretKey, parent, sessionPolicy, expiresAt } = session
      return { identity: this.#identity(accessKey, secretKey, 'session', parent, sessionPolicy), expiresAt }
    }
    const account = iam.serviceAccounts.get(accessKey)
    if (!account) {
      throw new S3Error('InvalidAccessKeyId', 'The Access Key Id you provided does not exist in our records.')
    }
    if (account.status !== 'on') throw disabled()
    const { policy } = account
    const ownPolicy = policy === undefined || inheritsAll(policy) ? undefined : policy
    const identity = this.#identity(accessKey, account.secretKey, 'service-account', account.parent, ownPolicy)
    return { identity, ...(account.expiresAt === undefined ? {} : { expiresAt: account.expiresAt }) }
  }

  #identity(
    accessKey: string,
    secretKey: string,
    kind: Identity['kind'],
    user: string,
    ownPolicy: string | undefined,
  ): Identity {
    const access = this.#iam.accessOf(user)
    const session =
      ownPolicy === undefined ? undefined : compilePolicy(policyFromJson(ownPolicy), { name: 'session policy' })
    return {
      accessKey,
      secretKey,
      kind,
      user,
      groups: this.#iam.groupsOf(user),
      access: session ? { ...access, session } : access,
    }
  }

  /** A session is only good with its token, which only the store can have signed; others must carry none. */
  #checkToken(known: Known, token: string | undefined): void {
    const { kind, accessKey } = known.identity
    if (kind !== 'session') {
      // Service accounts have no token that a client knows of; root and users have none.
      if (token !== undefined && token !== '') throw invalidToken()
      return
    }
    if (token === undefined || token === '') throw invalidToken()
    if (token === known.token) return
    if (readSessionToken(token, this.#iam.root.secretKey)?.accessKey !== accessKey) throw invalidToken()
    known.token = token
  }
}

interface Known {
  identity: Identity
  expiresAt?: number
  /** The token that was found good. */
  token?: string
}

function invalidToken(): S3Error {
  return new S3Error('InvalidToken', 'The security token included in the request is invalid')
}

function disabled(): S3Error {
  return new S3Error('InvalidAccessKeyId', 'Your account is disabled; please contact your administrator.')
}
