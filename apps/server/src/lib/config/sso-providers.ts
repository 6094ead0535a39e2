/** An OpenID provider for sign-in to the console. */
export interface SsoProvider {
  /** `main` for the variables without a suffix, otherwise the suffix in lower case. */
  id: string
  displayName: string
  /** The issuer, or the address of its discovery document. */
  url: URL
  clientId: string
  clientSecret: string
  /** Where the provider sends users back to: `/oauth_callback` of the console. */
  callback: string
  scopes: string
  /** How long a session lasts (seconds). */
  seconds: number
  /** For storage servers that use role policies instead of a claim. */
  roleArn: string | undefined
  /**
   * Where signing out leads, so that it also ends the session at the provider. `discovered`: the address that the provider
   * itself names; undefined: signing out concerns this console alone.
   */
  endSession: URL | 'discovered' | undefined
}

const DEFAULT_SCOPES = 'openid,profile,email'
export const DEFAULT_SSO_SECONDS = 3600

/**
 * Reads the providers from the environment, with the variable names of the original: `CONSOLE_IDP_URL`, and with a suffix for
 * each further provider, `CONSOLE_IDP_URL_KEYCLOAK`. As in the original, a provider without address, client or callback is
 * ignored.
 */
export function readSsoProviders(environment: Readonly<Record<string, string | undefined>>): SsoProvider[] {
  return Object.keys(environment)
    .filter((key) => key === 'CONSOLE_IDP_URL' || key.startsWith('CONSOLE_IDP_URL_'))
    .sort()
    .flatMap((key) => {
      const suffix = key.slice('CONSOLE_IDP_URL'.length)
      const read = (name: string) => environment[`CONSOLE_IDP_${name}${suffix}`]?.trim() ?? ''
      const [url, clientId, callback] = [read('URL'), read('CLIENT_ID'), read('CALLBACK')]
      if (!URL.canParse(url) || !URL.canParse(callback) || clientId === '') return []
      const id = suffix === '' ? 'main' : suffix.slice(1).toLowerCase()
      return [
        {
          id,
          displayName: read('DISPLAY_NAME') || (suffix === '' ? new URL(url).hostname : id),
          url: new URL(url),
          clientId,
          clientSecret: read('SECRET'),
          callback,
          scopes: parseScopes(read('SCOPES')),
          seconds: Number(read('TOKEN_EXPIRATION')) || DEFAULT_SSO_SECONDS,
          roleArn: read('ROLE_ARN') || undefined,
          endSession: parseEndSession(read('END_SESSION_ENDPOINT')),
        },
      ]
    })
}

/** Returns the scopes of a list that is separated by commas; `openid` is always one of them. */
export function parseScopes(text: string): string {
  const scopes = new Set(['openid', ...(text || DEFAULT_SCOPES).split(',').map((scope) => scope.trim())])
  return [...scopes].filter((scope) => scope !== '').join(' ')
}

function parseEndSession(text: string): SsoProvider['endSession'] {
  if (text.toLowerCase() === 'on') return 'discovered'
  if (!URL.canParse(text)) return undefined
  const address = new URL(text)
  return /^https?:$/.test(address.protocol) ? address : undefined
}
