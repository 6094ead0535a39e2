import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

/** A running OpenID provider, closed at the end. It accepts any user name and password. */
export interface TestProvider extends AsyncDisposable {
  issuer: string
  port: number
  /** Returns how many tokens it has renewed. */
  renewed(): number
  /** Refuses to renew the tokens of a user from now on. */
  block(user: string): void
}

/** The user whose ID tokens are long. */
export const LONG_TOKEN_USER = 'longwinded'

/** The secrets of its clients, which it requires, by name. */
export const CLIENT_SECRETS = { stowage: 'a-client-secret', 'second-client': 'a-second-secret' }

/**
 * Starts a real OpenID provider, on a different site than the console: `localhost` instead of `127.0.0.1`.
 * @param callback of the console
 * @param policy the claim `policy` of every user
 * @param idTokenSeconds how long its ID tokens are valid; refresh tokens can be used once
 */
export async function startProvider(callback: string, policy: string, idTokenSeconds = 3600): Promise<TestProvider> {
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  const issuer = `http://localhost:${port}`
  const blocked = new Set<string>()
  let renewed = 0
  const provider = new Provider(issuer, {
    clients: Object.entries(CLIENT_SECRETS).map(([client_id, client_secret]) => ({
      client_id,
      client_secret,
      redirect_uris: [callback],
      post_logout_redirect_uris: [new URL('login', callback).href],
      grant_types: ['authorization_code', 'refresh_token'],
    })),
    claims: { openid: ['sub', 'policy', 'preferred_username', 'groups'] },
    conformIdTokenClaims: false,
    ttl: {
      IdToken: idTokenSeconds,
      AccessToken: 3600,
      RefreshToken: 86_400,
      Grant: 86_400,
      Interaction: 3600,
      Session: 86_400,
    },
    rotateRefreshToken: true,
    pkce: { required: () => true },
    cookies: { keys: ['a-key-of-the-test'] },
    findAccount: (_context, accountId) =>
      blocked.has(accountId)
        ? undefined
        : {
            accountId,
            claims: () => ({
              sub: accountId,
              policy,
              preferred_username: `${accountId}@example.com`,
              // An ID token of 12 KB.
              ...(accountId === LONG_TOKEN_USER
                ? { groups: Array.from({ length: 330 }, (_, n) => `group-${n}-${'x'.repeat(20)}`) }
                : {}),
            }),
          },
  })
  provider.on('grant.success', ({ oidc }) => {
    if (oidc.params?.grant_type === 'refresh_token') renewed++
  })
  const handle = provider.callback()
  return {
    issuer,
    port,
    renewed: () => renewed,
    block: (user) => void blocked.add(user),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
