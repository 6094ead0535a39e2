import { hash } from 'node:crypto'
import type { TenantEncryption } from '@stowage/contract/tenants/create-tenant'
import { stringify } from 'yaml'
import { authorityCertificates, certificatePublicKey, readKeyPair } from './pem-certificates.ts'

/** Image of key servers that name none. */
export const KES_IMAGE = 'minio/kes:v0.16.1'

/** Layout of a key server's configuration, which depends on the version of the image. */
type KesLayout = 'keys' | 'keystore'

/**
 * From this version on, only a separate section `keystore` is read: 0.21 ignores a key store in `keys` without an error and keeps
 * the keys in memory alone, later versions do not start.
 */
const KEYSTORE_SEMANTIC = [0, 21, 0]

/** Returns the layout for an image; the newer one if its version is unknown or a date, which came after 0.22. */
export function kesLayout(image: string): KesLayout {
  const tag = /:([^/:@]+)(@.*)?$/.exec(image)?.[1] ?? ''
  const semantic = /^v?(\d+)\.(\d+)\.(\d+)/.exec(tag)
  if (!semantic) return 'keystore'
  const version = semantic.slice(1, 4).map(Number)
  const at = version.findIndex((part, index) => part !== KEYSTORE_SEMANTIC[index])
  return at >= 0 && (version[at] ?? 0) < (KEYSTORE_SEMANTIC[at] ?? 0) ? 'keys' : 'keystore'
}

const FOLDER = '/tmp/kes'
/** A placeholder that the operator fills in. */
const OPERATORS_IDENTITY = `$\{MINIO_KES_IDENTITY}`

/** Files mounted next to the configuration, by name. */
export interface KesFiles {
  configuration: string
  client: Record<string, string>
}

/**
 * Creates the configuration of a tenant's key server, and the files with which it connects to its key store.
 * @param clientCertificate the certificate with which the tenant's servers sign in (PEM); absent if the operator creates it
 */
export function kesFiles(encryption: TenantEncryption, clientCertificate: string | undefined): KesFiles {
  const layout = kesLayout(encryption.image || KES_IMAGE)
  const identity =
    clientCertificate !== undefined
      ? hash('sha256', certificatePublicKey(clientCertificate), 'hex')
      : OPERATORS_IDENTITY
  const client: Record<string, string> = {}
  const store = keyStore(encryption, client)
  const paths = ['create', 'generate', 'decrypt'].map((action) => `/v1/key/${action}/my-minio-key`)
  const configuration = {
    address: '0.0.0.0:7373',
    ...(layout === 'keys' ? { root: 'disabled' } : { admin: { identity: 'disabled' } }),
    tls: { key: `${FOLDER}/server.key`, cert: `${FOLDER}/server.crt` },
    policy: {
      'default-policy':
        layout === 'keys'
          ? { paths, identities: [identity] }
          : { allow: [...paths, '/v1/key/bulk/decrypt/my-minio-key'], identities: [identity] },
    },
    cache: { expiry: { any: '5m0s', unused: '20s' } },
    log: { error: 'on', audit: 'off' },
    [layout]: store,
  }
  return { configuration: stringify(configuration), client }
}

/** Returns which of the five kinds of key store is configured. */
export function keyStoreType(configuration: unknown): { type: string; endpoint: string } {
  const root = configuration as { keys?: object; keystore?: object } | null | undefined
  const store = (root?.keystore ?? root?.keys ?? {}) as Record<string, unknown>
  for (const type of ['vault', 'aws', 'gemalto', 'gcp', 'azure']) {
    const block = store[type]
    if (typeof block !== 'object' || block === null) continue
    const inner = 'endpoint' in block ? block : (Object.values(block)[0] as object | undefined)
    const endpoint = (inner as { endpoint?: unknown } | undefined)?.endpoint
    return { type, endpoint: typeof endpoint === 'string' ? endpoint : '' }
  }
  return { type: '', endpoint: '' }
}

function keyStore(encryption: TenantEncryption, files: Record<string, string>): object {
  const { vault, aws, gemalto, gcp, azure } = encryption
  if (vault) {
    const tls = vault.tls ?? {}
    if (tls.crt || tls.key) {
      const pair = readKeyPair({ crt: tls.crt ?? '', key: tls.key ?? '' })
      files['client.crt'] = pair.crt
      files['client.key'] = pair.key
    }
    if (tls.ca) files['ca.crt'] = authorityCertificates(tls.ca)
    const { engine, id, secret, retry } = vault.approle
    return {
      vault: {
        endpoint: vault.endpoint,
        ...optionalText('engine', vault.engine),
        ...optionalText('namespace', vault.namespace),
        ...optionalText('prefix', vault.prefix),
        approle: { ...optionalText('engine', engine), id, secret, retry: secondsText(retry, 15) },
        ...(Object.keys(files).length > 0
          ? {
              tls: {
                ...('client.key' in files ? { key: `${FOLDER}/client.key`, cert: `${FOLDER}/client.crt` } : {}),
                ...('ca.crt' in files ? { ca: `${FOLDER}/ca.crt` } : {}),
              },
            }
          : {}),
        status: { ping: secondsText(vault.status?.ping, 10) },
      },
    }
  }
  if (aws) {
    const { endpoint, region, kmskey, credentials } = aws.secretsmanager
    const { accesskey, secretkey, token } = credentials
    return {
      aws: {
        secretsmanager: {
          endpoint,
          region,
          ...optionalText('kmskey', kmskey),
          credentials: { accesskey, secretkey, ...optionalText('token', token) },
        },
      },
    }
  }
  if (gemalto) {
    const { endpoint, credentials, tls } = gemalto.keysecure
    if (tls?.ca) files['ca.crt'] = authorityCertificates(tls.ca)
    return {
      gemalto: {
        keysecure: {
          endpoint,
          credentials: {
            token: credentials.token,
            domain: credentials.domain,
            retry: secondsText(credentials.retry, 15),
          },
          ...(tls?.ca ? { tls: { ca: `${FOLDER}/ca.crt` } } : {}),
        },
      },
    }
  }
  if (gcp) {
    const { project_id, endpoint, credentials } = gcp.secretmanager
    const { client_email, client_id, private_key_id, private_key } = credentials ?? {}
    return {
      gcp: {
        secretmanager: {
          project_id,
          ...optionalText('endpoint', endpoint),
          credentials: {
            ...optionalText('client_email', client_email),
            ...optionalText('client_id', client_id),
            ...optionalText('private_key_id', private_key_id),
            ...optionalText('private_key', private_key),
          },
        },
      },
    }
  }
  if (azure) {
    const { endpoint, credentials } = azure.keyvault
    return { azure: { keyvault: { endpoint, credentials } } }
  }
  return {}
}

function optionalText<K extends string>(name: K, value: string | undefined): { [P in K]?: string } {
  return value ? ({ [name]: value } as { [P in K]?: string }) : {}
}

function secondsText(value: number | null | undefined, otherwise: number): string {
  return `${value || otherwise}s`
}
