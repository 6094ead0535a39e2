import { createHash } from 'node:crypto'
import type { ConfigValues, StoreConfig } from '../../config/config.ts'
import { parseSwitch, splitList } from '../../config/value-types.ts'
import type { SignInProvider } from '../../process/process-messages.ts'
import type { OpenIdRecord } from '../iam-records.ts'

/** An OpenID provider whose ID tokens open sessions. */
export interface OpenIdProvider {
  /** Address of the discovery document. */
  configUrl: string
  clientId: string
  /** The claim with the names of policies. */
  claim: string
  /** Names of policies that all users of this provider have. Empty: the claim decides. */
  rolePolicies: readonly string[]
  /** Name of this provider for clients, if it has role policies. */
  roleArn: string
}

/** The data by which a credential identifies its provider. */
export type OpenIdProviderKey = NonNullable<OpenIdRecord['provider']>

type ConfigReader = Pick<StoreConfig, 'targets' | 'values'>

/** Returns the enabled providers of a configuration that have an address and a client. */
export function readOpenIdProviders(config: ConfigReader): OpenIdProvider[] {
  return config.targets('identity_openid').flatMap((target) => readProvider(config.values('identity_openid', target)))
}

/**
 * Whether the provider of a credential is still configured, with the same address and client. Credentials of the first versions
 * do not contain their provider.
 */
export function hasOpenIdProvider(
  providers: readonly OpenIdProviderKey[],
  key: OpenIdProviderKey | undefined,
): boolean {
  if (!key) return providers.length > 0
  return providers.some(({ configUrl, clientId }) => configUrl === key.configUrl && clientId === key.clientId)
}

/** Returns the providers for the sign-in page of the console: those with a redirect address of the console. */
export function readSignInProviders(config: ConfigReader): SignInProvider[] {
  return config.targets('identity_openid').flatMap((target) => {
    const values = config.values('identity_openid', target)
    const read = (key: string) => values[key]?.trim() ?? ''
    const callback = read('redirect_uri')
    if (callback === '') return []
    return readProvider(values).map(({ configUrl, clientId, rolePolicies, roleArn }) => ({
      target,
      displayName: read('display_name'),
      configUrl,
      clientId,
      clientSecret: read('client_secret'),
      callback,
      scopes: read('scopes'),
      ...(rolePolicies.length > 0 ? { roleArn } : {}),
    }))
  })
}

/** Returns the data by which credentials identify the provider of a target, even if it is disabled. */
export function readProviderKey(values: ConfigValues): OpenIdProviderKey {
  return { configUrl: values.config_url?.trim() ?? '', clientId: values.client_id?.trim() ?? '' }
}

function readProvider(values: ConfigValues): OpenIdProvider[] {
  const read = (key: string) => values[key]?.trim() ?? ''
  const clientId = read('client_id')
  if (clientId === '' || read('config_url') === '' || parseSwitch(read('enable')) === false) return []
  return [
    {
      configUrl: read('config_url'),
      clientId,
      claim: read('claim_prefix') + (read('claim_name') || 'policy'),
      rolePolicies: splitList(read('role_policy')),
      roleArn: openIdRoleArn(clientId),
    },
  ]
}

/** Returns MinIO's ARN for the role of a client. */
export function openIdRoleArn(clientId: string): string {
  return `arn:minio:iam:::role/${createHash('sha1').update(clientId).digest('base64url')}`
}

/** Returns why a provider conflicts with the others; undefined if it does not. */
export function openIdProblem(config: ConfigReader, values: ConfigValues, target: string): string | undefined {
  const [provider] = readProvider(values)
  if (!provider) return undefined
  const twin = config
    .targets('identity_openid')
    .filter((name) => name !== target)
    .find((name) => readProvider(config.values('identity_openid', name))[0]?.clientId === provider.clientId)
  return twin === undefined
    ? undefined
    : `client_id is that of the target ${twin}; a token could not say which is meant`
}
