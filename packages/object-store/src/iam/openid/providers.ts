import { createHash } from 'node:crypto'

/** An OpenID provider whose ID tokens open sessions. */
export interface OpenIdProvider {
  /** The suffix of its environment variables; `_` for those without one. */
  name: string
  /** Address of the discovery document. */
  configUrl: string
  clientId: string
  /** The claim with the names of policies. */
  claim: string
  /** Names of policies that all users of this provider have. Empty: the claim decides. */
  rolePolicies: readonly string[]
  /** How clients name this provider when it has role policies. */
  roleArn: string
}

const PREFIX = 'MINIO_IDENTITY_OPENID_'

/**
 * Reads the providers from the environment, in MinIO's names: `MINIO_IDENTITY_OPENID_CONFIG_URL`, and with a suffix for
 * each further provider, `MINIO_IDENTITY_OPENID_CONFIG_URL_KEYCLOAK`.
 */
export function readOpenIdProviders(environment: Readonly<Record<string, string | undefined>>): OpenIdProvider[] {
  return Object.keys(environment)
    .filter((key) => key.startsWith(`${PREFIX}CONFIG_URL`) && environment[key])
    .sort()
    .flatMap((key) => {
      const suffix = key.slice(`${PREFIX}CONFIG_URL`.length)
      const read = (name: string) => environment[`${PREFIX}${name}${suffix}`]?.trim() ?? ''
      const clientId = read('CLIENT_ID')
      if (clientId === '' || /^(off|false|no|0)$/i.test(read('ENABLE'))) return []
      return [
        {
          name: suffix === '' ? '_' : suffix.slice(1).toLowerCase(),
          configUrl: read('CONFIG_URL'),
          clientId,
          claim: read('CLAIM_PREFIX') + (read('CLAIM_NAME') || 'policy'),
          rolePolicies: read('ROLE_POLICY')
            .split(',')
            .map((name) => name.trim())
            .filter((name) => name !== ''),
          roleArn: `arn:minio:iam:::role/${createHash('sha1').update(clientId).digest('base64url')}`,
        },
      ]
    })
}
