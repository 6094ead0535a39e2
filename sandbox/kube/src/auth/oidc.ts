import { createRemoteJWKSet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { KubeCaller } from '../kinds/kind.ts'
import { ISSUER } from './issuer.ts'

/** Same as the flags `--oidc-…` of kube-apiserver. */
export interface OidcOptions {
  /** Exact issuer of the tokens. Unlike kube-apiserver, plain HTTP is accepted, because a sandbox is on loopback. */
  readonly issuerUrl: string
  /** The required audience of tokens. */
  readonly clientId: string
  /** Default `sub`. */
  readonly usernameClaim?: string
  /** Default: the issuer and `#`, except for the claim `email`. */
  readonly usernamePrefix?: string
  /** Absent: no groups are read. */
  readonly groupsClaim?: string
  readonly groupsPrefix?: string
}

const ALGORITHMS = ['RS256']
const ANSWER_MS = 5_000

/** Checks ID tokens of one identity provider. */
export class OidcTokens {
  #keys: Promise<JWTVerifyGetKey> | undefined

  constructor(
    readonly options: OidcOptions,
    readonly now: () => Date,
  ) {}

  /** @returns undefined if the token is not valid */
  async authenticate(
    token: string,
    audiences: readonly string[],
  ): Promise<(KubeCaller & { audiences: string[] }) | undefined> {
    // The review is for other audiences, but these tokens are only for the API server.
    if (!audiences.includes(ISSUER)) return undefined
    const { issuerUrl, clientId, groupsClaim, groupsPrefix = '' } = this.options
    let claims: JWTPayload
    try {
      this.#keys ??= fetchKeys(issuerUrl)
      const keys = await this.#keys
      const options = { issuer: issuerUrl, audience: clientId, algorithms: ALGORITHMS, currentDate: this.now() }
      claims = (await jwtVerify(token, keys, { ...options, requiredClaims: ['exp'] })).payload
    } catch (error) {
      // The provider may not have started yet; the next token tries again.
      if (error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError'))
        this.#keys = undefined
      return undefined
    }
    const username = this.#usernameFromClaims(claims)
    if (username === undefined) return undefined
    const groups = groupsClaim === undefined ? [] : texts(claims[groupsClaim]).map((group) => groupsPrefix + group)
    return { username, groups: [...groups, 'system:authenticated'], audiences: [ISSUER] }
  }

  #usernameFromClaims(claims: JWTPayload): string | undefined {
    const { issuerUrl, usernameClaim = 'sub', usernamePrefix } = this.options
    const name = claims[usernameClaim]
    if (typeof name !== 'string' || name === '') return undefined
    if (usernameClaim === 'email' && claims.email_verified === false) return undefined
    return (usernamePrefix ?? (usernameClaim === 'email' ? '' : `${issuerUrl}#`)) + name
  }
}

async function fetchKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const answer = await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS), redirect: 'error' })
  const { issuer: named, jwks_uri: keys } = (await answer.json()) as { issuer?: unknown; jwks_uri?: unknown }
  if (named !== issuer || typeof keys !== 'string') throw new TypeError(`${address} is not of ${issuer}`)
  return createRemoteJWKSet(new URL(keys), { timeoutDuration: ANSWER_MS })
}

function texts(claim: unknown): string[] {
  return [claim].flat().filter((each) => typeof each === 'string')
}
