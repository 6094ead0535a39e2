import { freePort } from '../processes/ports.ts'
import { startProvider, type TestProvider } from '../sign-in/oidc-provider.ts'
import { startOperator, type TestOperator } from './start-operator.ts'

interface SsoOptions {
  /** Variables of the console, by the address to which the provider sends a browser back. */
  env?: (callback: string) => Record<string, string>
  /** How long ID tokens are valid. */
  idTokenSeconds?: number
}

export interface SsoOperator extends AsyncDisposable {
  provider: TestProvider
  operator: TestOperator
}

/** Starts a console for operators with single sign-on. The cluster accepts the ID tokens of the provider, as users `oidc:…`. */
export async function startSsoOperator({ env, idTokenSeconds }: SsoOptions = {}): Promise<SsoOperator> {
  const port = await freePort()
  const callback = `http://127.0.0.1:${port}/oauth_callback`
  const provider = await startProvider(callback, 'none', idTokenSeconds)
  const operator = await startOperator({
    oidc: {
      issuerUrl: provider.issuer,
      clientId: 'stowage',
      usernameClaim: 'preferred_username',
      usernamePrefix: 'oidc:',
    },
    env: {
      STOWAGE_PORT: String(port),
      STOWAGE_EGRESS_ALLOW: `127.0.0.1:${provider.port}`,
      CONSOLE_IDP_URL: `${provider.issuer}/.well-known/openid-configuration`,
      CONSOLE_IDP_CLIENT_ID: 'stowage',
      CONSOLE_IDP_SECRET: 'a-client-secret',
      CONSOLE_IDP_CALLBACK: callback,
      ...env?.(callback),
    },
  }).catch(async (error: unknown) => {
    await provider[Symbol.asyncDispose]()
    throw error
  })
  return {
    provider,
    operator,
    async [Symbol.asyncDispose]() {
      await operator[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
    },
  }
}
