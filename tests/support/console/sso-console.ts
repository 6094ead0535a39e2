import { freePort } from '../processes/ports.ts'
import { CLIENT_SECRETS, startProvider, type TestProvider } from '../sign-in/oidc-provider.ts'
import { startConsole, type TestConsole } from './start-console.ts'

/** Starts a console whose users sign in at a test OpenID provider. Both must be disposed of. */
export async function startSsoConsole(
  env: Record<string, string> = {},
): Promise<{ provider: TestProvider; console: TestConsole }> {
  const port = await freePort()
  const callback = `http://127.0.0.1:${port}/oauth_callback`
  const provider = await startProvider(callback, 'readwrite')
  const discovery = `${provider.issuer}/.well-known/openid-configuration`
  const console = await startConsole({
    env: {
      STOWAGE_PORT: String(port),
      STOWAGE_EGRESS_ALLOW: `127.0.0.1:${provider.port}`,
      MINIO_IDENTITY_OPENID_CONFIG_URL: discovery,
      MINIO_IDENTITY_OPENID_CLIENT_ID: 'stowage',
      CONSOLE_IDP_URL: discovery,
      CONSOLE_IDP_CLIENT_ID: 'stowage',
      CONSOLE_IDP_SECRET: CLIENT_SECRETS.stowage,
      CONSOLE_IDP_CALLBACK: callback,
      ...env,
    },
  })
  return { provider, console }
}
