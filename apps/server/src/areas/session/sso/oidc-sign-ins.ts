import { hash } from 'node:crypto'
import { reason } from '@stowage/contract'
import type { Egress } from '@stowage/egress'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as oidc from 'openid-client'
import { fetch } from 'undici'
import { z } from 'zod'
import type { SsoProvider } from '../../../lib/config/sso-providers.ts'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { requestLocation } from '../../../lib/http/base-path.ts'
import { readCookies, setCookie } from '../sealed-sessions/cookies.ts'
import { Sealer } from '../sealed-sessions/sealer.ts'
import type { Sessions } from '../sealed-sessions/sessions.ts'

/** A sign-in in progress at a provider; the provider's answer must match it. */
const StartedSignIn = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** ms since 1970. */
  at: z.number(),
})
type StartedSignIn = z.infer<typeof StartedSignIn>

const STARTED_SECONDS = 600
/** Maximum number of parallel sign-ins per browser, in different tabs. */
const MAX_STARTED = 5
/** Maximum size of a provider's answer (bytes). */
const MAX_ANSWER = 1 << 20
const ANSWER_MS = 10_000
/** How long a discovery document is cached. */
const FRESH_MS = 60 * 60_000

export interface OidcParts {
  /** Returns those in use at this moment. */
  providers: () => readonly SsoProvider[]
  secrets: readonly [string, ...string[]]
  sessions: Pick<Sessions, 'consoleCookie'>
  egress: Egress
}

/** Query parameters with which a provider redirects back to the console. */
export interface ProviderAnswer {
  code: string
  state: string
  iss?: string | undefined
}

/** Tokens that a provider returns for a code or a refresh token. */
export interface ProviderTokens {
  idToken: string
  claims: oidc.IDToken
  /** Absent unless the provider allows renewal. */
  refreshToken: string | undefined
}

/** A sign-in after the redirect back from its provider. */
export interface ReturnedSignIn {
  provider: SsoProvider
  /** `Set-Cookie` header that expires the cookie of this sign-in. */
  used: string
  /** Exchanges the code; checks state, nonce, verifier, issuer and the ID token. @throws HttpError 401, 502 */
  redeem(): Promise<ProviderTokens>
}

/** Sign-in at OpenID providers: authorization code with PKCE, bound to the browser by one sealed cookie per sign-in. */
export class OidcSignIns {
  readonly #parts: OidcParts
  readonly #sealer: Sealer
  readonly #clients = new Map<string, { of: string; client: oidc.Configuration; readAt: number }>()

  constructor(parts: OidcParts) {
    this.#parts = parts
    this.#sealer = new Sealer(parts.secrets, 'sign-in at an identity provider')
  }

  get providers(): readonly SsoProvider[] {
    return this.#parts.providers()
  }

  /** Redirects the browser to the provider's page. @throws HttpError 404, 502 */
  async start(request: FastifyRequest, reply: FastifyReply, id: string): Promise<FastifyReply> {
    const provider = this.#findProvider(id)
    if (!provider) throw new HttpError(404, reason('sso-not-configured'))
    const client = await this.#openClient(provider)
    const started: StartedSignIn = {
      provider: provider.id,
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
      at: Date.now(),
    }
    const { name, path, secure } = this.#stateCookie(request, started.state)
    const oldest = this.#startedIn(request).toSorted(([, a], [, b]) => b.at - a.at)
    reply.header('set-cookie', [
      setCookie(name, this.#sealer.seal(JSON.stringify(started)), { path, secure, maxAge: STARTED_SECONDS }),
      ...oldest.slice(MAX_STARTED - 1).map(([old]) => this.#expire(request, old)),
    ])
    const address = oidc.buildAuthorizationUrl(client, {
      redirect_uri: provider.callback,
      scope: provider.scopes,
      state: started.state,
      nonce: started.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(started.verifier),
      code_challenge_method: 'S256',
      // Providers return a refresh token only after the user has given consent.
      ...(provider.scopes.split(' ').includes('offline_access') ? { prompt: 'consent' } : {}),
    })
    return reply.header('cache-control', 'no-store').redirect(address.href, 302)
  }

  /** Finds the sign-in that an answer belongs to. A code can be tried only once. @throws HttpError 401 */
  findSignIn(request: FastifyRequest, answer: ProviderAnswer): ReturnedSignIn {
    const [name, started] = this.#startedIn(request).find(([, { state }]) => state === answer.state) ?? []
    const provider = this.#findProvider(started?.provider)
    if (name === undefined || !started || !provider || Date.now() - started.at > STARTED_SECONDS * 1000) {
      throw ssoError('sso-expired')
    }
    return {
      provider,
      used: this.#expire(request, name),
      redeem: async () => await redeem(await this.#openClient(provider), provider, started, answer),
    }
  }

  /**
   * Exchanges a refresh token.
   * @throws HttpError 401 if the provider refuses it or is no longer configured, 502 if it does not answer
   */
  async refresh(id: string, refreshToken: string): Promise<ProviderTokens> {
    const provider = this.#findProvider(id)
    if (!provider) throw ssoError('sso-refused')
    const client = await this.#openClient(provider)
    try {
      return providerTokens(await oidc.refreshTokenGrant(client, refreshToken), refreshToken)
    } catch (cause) {
      // An answer of the provider is its decision; any other error is a network failure.
      if (cause instanceof oidc.ResponseBodyError && cause.status < 500) throw ssoError('sso-refused', cause)
      throw new HttpError(502, reason('sso-unreachable'), { detail: errorText(cause), cause })
    }
  }

  /**
   * A page of the provider that ends the user's session there and then leads back to the sign-in page; empty without one.
   * It takes no ID token as a hint: addresses are kept in logs and histories. So the provider asks the user.
   */
  async logoutAddress(id: string | undefined): Promise<string> {
    const provider = this.#findProvider(id)
    if (!provider?.endSession) return ''
    const parameters = {
      client_id: provider.clientId,
      post_logout_redirect_uri: new URL('login', provider.callback).href,
    }
    if (provider.endSession !== 'discovered') {
      const address = new URL(provider.endSession)
      for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
      return address.href
    }
    try {
      const { href, protocol } = oidc.buildEndSessionUrl(await this.#openClient(provider), parameters)
      return /^https?:$/.test(protocol) ? href : ''
    } catch {
      // The provider is down or has no such page. The session has ended here in any case.
      return ''
    }
  }

  #findProvider(id: string | undefined): SsoProvider | undefined {
    return this.providers.find((each) => each.id === id)
  }

  async #openClient(provider: SsoProvider): Promise<oidc.Configuration> {
    const known = this.#clients.get(provider.id)
    const of = JSON.stringify([provider.url, provider.clientId, provider.clientSecret])
    if (known?.of === of && Date.now() - known.readAt < FRESH_MS) return known.client
    try {
      const client = await discover(provider, guardedFetch(this.#parts.egress))
      this.#clients.set(provider.id, { of, client, readAt: Date.now() })
      return client
    } catch (cause) {
      throw new HttpError(502, reason('sso-unreachable'), { detail: errorText(cause), cause })
    }
  }

  #stateCookie(request: FastifyRequest, state: string) {
    return this.#parts.sessions.consoleCookie(request, `stowage-sso-${hash('sha256', state, 'hex').slice(0, 16)}`)
  }

  /** Returns the sign-ins in progress in this browser, by the names of their cookies. */
  #startedIn(request: FastifyRequest): [name: string, started: StartedSignIn][] {
    return [...readCookies(request.headers.cookie)].flatMap(([name, contents]): [string, StartedSignIn][] => {
      if (!name.includes('stowage-sso-') || contents.length !== 1) return []
      const text = this.#sealer.open(contents[0] ?? '')
      const started = text === undefined ? undefined : StartedSignIn.safeParse(JSON.parse(text)).data
      return started ? [[name, started]] : []
    })
  }

  #expire(request: FastifyRequest, name: string): string {
    const { path, secure } = this.#stateCookie(request, '')
    return setCookie(name, '', { path, secure, maxAge: 0 })
  }
}

/** Returns the sign-in address of each provider; an empty list without providers. */
export function providerRedirects(providers: readonly SsoProvider[], request: FastifyRequest) {
  const { base } = requestLocation(request.raw)
  const redirectRules = providers.map(({ id, displayName }) => ({
    redirect: `${base}api/v1/login/oauth2/start/${encodeURIComponent(id)}`,
    displayName,
    serviceType: 'openid',
  }))
  return { redirect: redirectRules[0]?.redirect ?? '', redirectRules }
}

/** Adds a `Set-Cookie` header to those of an answer. */
export function addCookie(reply: FastifyReply, line: string): void {
  const set = reply.getHeader('set-cookie')
  reply.header('set-cookie', [...[set ?? []].flat().map(String), line])
}

async function discover(provider: SsoProvider, customFetch: oidc.CustomFetch): Promise<oidc.Configuration> {
  const { url, clientId, clientSecret } = provider
  const authentication = clientSecret === '' ? oidc.None() : oidc.ClientSecretBasic(clientSecret)
  return await oidc.discovery(url, clientId, undefined, authentication, {
    [oidc.customFetch]: customFetch,
    // The administrator has configured a provider without TLS.
    ...(url.protocol === 'http:' ? { execute: [oidc.allowInsecureRequests] } : {}),
  })
}

async function redeem(
  client: oidc.Configuration,
  provider: SsoProvider,
  { state, nonce, verifier }: StartedSignIn,
  { code, iss }: ProviderAnswer,
): Promise<ProviderTokens> {
  const back = new URL(provider.callback)
  back.search = new URLSearchParams({ code, state, ...(iss === undefined ? {} : { iss }) }).toString()
  try {
    const tokens = await oidc.authorizationCodeGrant(client, back, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    return providerTokens(tokens)
  } catch (cause) {
    throw ssoError('sso-refused', cause)
  }
}

/** @param previous refresh token to keep if the provider does not replace it */
function providerTokens(
  tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
  previous?: string,
): ProviderTokens {
  const claims = tokens.claims()
  if (tokens.id_token === undefined || !claims) throw new TypeError('the provider sent no ID token')
  return { idToken: tokens.id_token, claims, refreshToken: tokens.refresh_token ?? previous }
}

/** Returns a `fetch` whose connections pass the egress guard, with limits for time and size of an answer. */
function guardedFetch(egress: Egress): oidc.CustomFetch {
  return async (url, { method, headers, body }) => {
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined || body === null ? {} : { body: body as string | URLSearchParams }),
      redirect: 'manual',
      dispatcher: egress.dispatcher,
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength
      if (size > MAX_ANSWER) throw new TypeError('the answer of the identity provider is too long')
      chunks.push(chunk)
    }
    return new Response(chunks.length === 0 ? null : Buffer.concat(chunks), {
      status: response.status,
      headers: [...response.headers],
    })
  }
}

function ssoError(detail: 'sso-expired' | 'sso-refused', cause?: unknown): HttpError {
  return new HttpError(401, reason('sign-in-refused'), { detail: reason(detail), cause })
}

const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))
