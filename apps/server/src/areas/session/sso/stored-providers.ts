import { hash } from 'node:crypto'
import { DEFAULT_SSO_SECONDS, parseScopes, type SsoProvider } from '../../../lib/config/sso-providers.ts'
import type { SignInProvider } from '../../../lib/program/embedded-store.ts'

/**
 * Returns the providers that the sign-in page offers: those of the console, and those in the configuration of its store, but
 * for clients that the console has in its own.
 */
export function offeredProviders(
  own: readonly SsoProvider[],
  stored: readonly SignInProvider[],
): readonly SsoProvider[] {
  const others = stored.filter(({ clientId }) => !own.some((provider) => provider.clientId === clientId))
  return others.length === 0 ? own : [...own, ...others.map(storedProvider)]
}

function storedProvider(stored: SignInProvider): SsoProvider {
  const { target, configUrl, clientId, clientSecret, callback, roleArn } = stored
  const url = new URL(configUrl)
  const isDefault = target === '_'
  return {
    // Names of targets can be longer than IDs.
    id: isDefault ? 'stored' : `stored-${hash('sha256', target, 'hex').slice(0, 16)}`,
    displayName: stored.displayName || (isDefault ? url.hostname : target),
    url,
    clientId,
    clientSecret,
    callback,
    scopes: parseScopes(stored.scopes),
    seconds: DEFAULT_SSO_SECONDS,
    roleArn,
    endSession: undefined,
  }
}
