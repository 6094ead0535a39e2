import { createHash } from 'node:crypto'
import type { Egress } from '@stowage/egress'
import { JWT_CLAIMS } from '@stowage/iam-policy'
import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import { S3Error } from '../../lib/errors.ts'
import type { OpenIdProvider, OpenIdProviderKey } from './openid-providers.ts'

/**
 * Permitted signature algorithms of ID tokens, whose keys only the provider has. With HMAC, anyone who knows the public key or
 * the client's secret could sign.
 */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
/** Maximum length of an ID token (characters). */
const MAX_TOKEN = 64 * 1024
/** How long discovery and keys are cached. */
const FRESH_MS = 60 * 60_000
/** Minimum interval (ms) between requests for the keys that are caused by tokens with an unknown key. */
const RETRY_MS = 60_000
/** Accepted difference between clocks (seconds). */
const TOLERANCE = 10

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url() })
const Keys = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(1000) })

/** The user of an ID token. */
export interface OpenIdUser {
  /** The parent of the session, a name that no built-in user can have. */
  parent: string
  provider: OpenIdProviderKey
  subject: string
  /** Names of policies. */
  policies: string[]
  /** Values of the condition keys `jwt:…`. */
  claims: Record<string, string[]>
  /** When the token ends, ms since 1970. */
  expiresAt: number
}

interface KnownProvider {
  issuer: string
  keys: JSONWebKeySet
  readAt: number
}

/** Checks ID tokens of the providers. */
export class OpenIdVerifier {
  /** By the address of the discovery document. */
  readonly #known = new Map<string, Promise<KnownProvider>>()

  /**
   * @param providers returns the current providers
   * @param egress connects to the addresses that an administrator entered
   */
  constructor(
    private readonly providers: () => readonly OpenIdProvider[],
    private readonly egress: () => Promise<Pick<Egress, 'request'>>,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * @param roleArn chooses a provider with role policies; without it the claim of the token decides
   * @throws S3Error InvalidParameterValue (the token or the role), ServiceUnavailable (the provider does not answer)
   */
  async verify(token: string, roleArn: string | undefined): Promise<OpenIdUser> {
    if (token.length > MAX_TOKEN) throw refusedToken('The token is too long.')
    const claims = this.#decodeClaims(token)
    const providers = this.providers()
    const candidates = providers.filter((provider) =>
      roleArn === undefined ? provider.rolePolicies.length === 0 : provider.roleArn === roleArn,
    )
    if (candidates.length === 0) {
      throw refusedToken(roleArn === undefined ? 'A RoleArn is required.' : `There is no role ${roleArn}.`)
    }
    this.#forgetAllBut(providers)
    let problem: unknown
    for (const provider of candidates) {
      try {
        const known = await this.#read(provider.configUrl)
        if (known.issuer !== claims.iss) continue
        // Not verified yet: a token for another client may be valid for the next provider.
        requireClient(provider, claims)
        return this.#openIdUser(provider, await this.#check(provider, known, token))
      } catch (error) {
        // Continue, because an unavailable provider must not block users of other providers.
        problem ??= error
      }
    }
    throw problem ?? refusedToken('The token is of an unknown issuer.')
  }

  #decodeClaims(token: string): JWTPayload {
    try {
      return decodeJwt(token)
    } catch {
      throw refusedToken('The token cannot be read.')
    }
  }

  async #check(provider: OpenIdProvider, known: KnownProvider, token: string): Promise<JWTPayload> {
    const verify = ({ issuer, keys }: KnownProvider) =>
      jwtVerify(token, createLocalJWKSet(keys), {
        issuer,
        algorithms: ALGORITHMS,
        clockTolerance: TOLERANCE,
        currentDate: new Date(this.now()),
        requiredClaims: ['sub', 'exp', 'aud'],
      })
    try {
      return (await verify(known)).payload
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || this.now() - known.readAt < RETRY_MS) throw asRefusal(error)
    }
    // The provider may have new keys.
    this.#known.delete(provider.configUrl)
    try {
      return (await verify(await this.#read(provider.configUrl))).payload
    } catch (error) {
      throw asRefusal(error)
    }
  }

  #openIdUser(provider: OpenIdProvider, payload: JWTPayload): OpenIdUser {
    requireClient(provider, payload)
    const { claim, rolePolicies } = provider
    const { sub = '', iss = '', exp = 0 } = payload
    const policies = rolePolicies.length > 0 ? [...rolePolicies] : namesIn(payload[claim])
    if (policies.length === 0) throw refusedToken(`The token has no claim ${claim} with names of policies.`)
    const hash = createHash('sha256').update(`openid:${sub}:${iss}`).digest('base64url')
    return {
      // Names of built-in users cannot contain "=".
      parent: `openid=${hash}`,
      provider: { configUrl: provider.configUrl, clientId: provider.clientId },
      subject: sub,
      policies,
      claims: conditionClaims(payload),
      expiresAt: exp * 1000,
    }
  }

  #forgetAllBut(providers: readonly OpenIdProvider[]): void {
    for (const configUrl of this.#known.keys()) {
      if (!providers.some((provider) => provider.configUrl === configUrl)) this.#known.delete(configUrl)
    }
  }

  #read(configUrl: string): Promise<KnownProvider> {
    const known = this.#known.get(configUrl)
    if (known) {
      return known.then((value) => {
        if (this.now() - value.readAt < FRESH_MS) return value
        if (this.#known.get(configUrl) === known) this.#known.delete(configUrl)
        return this.#read(configUrl)
      })
    }
    const reading = this.#fetch(configUrl)
    this.#known.set(configUrl, reading)
    // Failures are not cached: the next token causes a new request.
    reading.catch(() => this.#known.get(configUrl) === reading && this.#known.delete(configUrl))
    return reading
  }

  async #fetch(configUrl: string): Promise<KnownProvider> {
    try {
      const { issuer, jwks_uri } = Discovery.parse(await this.#json(configUrl))
      const keys = Keys.parse(await this.#json(jwks_uri)) as JSONWebKeySet
      return { issuer, keys, readAt: this.now() }
    } catch (cause) {
      const message = 'The identity provider does not answer as it should. Try again.'
      throw new S3Error('ServiceUnavailable', message, { cause })
    }
  }

  async #json(url: string): Promise<unknown> {
    const egress = await this.egress()
    const { body } = await egress.request(url, { headers: { accept: 'application/json' } })
    return JSON.parse(body.toString('utf8'))
  }
}

/** @throws S3Error InvalidParameterValue if the token is for another client */
function requireClient({ clientId }: OpenIdProvider, { aud, azp }: JWTPayload): void {
  if ([aud].flat().includes(clientId) || azp === clientId) return
  throw refusedToken('Neither aud nor azp of the token is the client of this server.')
}

/** Returns the claims that policy conditions can use. */
function conditionClaims(payload: JWTPayload): Record<string, string[]> {
  return Object.fromEntries(
    JWT_CLAIMS.flatMap((key) => {
      const values = [payload[key]].flat().filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
      return values.length === 0 ? [] : [[key, values.map(String)]]
    }),
  )
}

/** Returns the names in a claim: a text, a list separated by commas, or an array. */
function namesIn(claim: unknown): string[] {
  const texts = [claim].flat().filter((value) => typeof value === 'string')
  const names = texts.flatMap((text) => text.split(',')).map((name) => name.trim())
  return [...new Set(names.filter((name) => name !== ''))]
}

function refusedToken(message: string, cause?: unknown): S3Error {
  return new S3Error('InvalidParameterValue', message, { cause })
}

/** Converts an error of jose. Its message can be returned, because it contains the claim but never the token. */
function asRefusal(error: unknown): S3Error {
  if (error instanceof S3Error) return error
  if (error instanceof errors.JWTExpired) return refusedToken('Token is expired.', error)
  return refusedToken(
    error instanceof errors.JOSEError ? `The token is not valid: ${error.message}` : 'The token is not valid.',
    error,
  )
}
