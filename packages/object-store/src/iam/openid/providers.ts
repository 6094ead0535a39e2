import { createHash } from 'node:crypto'
import type { Config, Values } from '../../config/config.ts'
import { listItems, switchOf } from '../../config/values.ts'

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

type ConfigReader = Pick<Config, 'targets' | 'values'>

/** The providers of a configuration that are on, with address and client. */
export function readOpenIdProviders(config: ConfigReader): OpenIdProvider[] {
  return config.targets('identity_openid').flatMap((target) => providerOf(config.values('identity_openid', target)))
}

function providerOf(values: Values): OpenIdProvider[] {
  const read = (key: string) => values[key]?.trim() ?? ''
  const clientId = read('client_id')
  if (clientId === '' || read('config_url') === '' || switchOf(read('enable')) === false) return []
  return [
    {
      configUrl: read('config_url'),
      clientId,
      claim: read('claim_prefix') + (read('claim_name') || 'policy'),
      rolePolicies: listItems(read('role_policy')),
      roleArn: roleArnOf(clientId),
    },
  ]
}

/** MinIO's name for the role of a client. */
export function roleArnOf(clientId: string): string {
  return `arn:minio:iam:::role/${createHash('sha1').update(clientId).digest('base64url')}`
}

/** Returns why a provider conflicts with the others; undefined if it does not. */
export function openIdProblem(config: ConfigReader, values: Values, target: string): string | undefined {
  const [provider] = providerOf(values)
  if (!provider) return undefined
  const twin = config
    .targets('identity_openid')
    .filter((name) => name !== target)
    .find((name) => providerOf(config.values('identity_openid', name))[0]?.clientId === provider.clientId)
  return twin === undefined
    ? undefined
    : `client_id is that of the target ${twin}; a token could not say which is meant`
}
