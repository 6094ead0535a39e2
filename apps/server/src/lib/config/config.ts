import { resolve } from 'node:path'
import { type EgressRules, egressRules } from '@stowage/egress'
import { nearestName } from '@stowage/iam-policy'
import { getDomain } from 'tldts'
import { z } from 'zod'
import { DEFAULT_REGION, settingsHelpLines, storeSettings } from '../store-package/index.ts'
import { type AuditConfig, auditConfig, auditSettings } from './audit-settings.ts'
import { type MetricsConfig, metricsConfig, metricsSettings } from './metrics-settings.ts'
import { consoleSettings, ORIGINAL_NAMES, operatorSettings, SECRET_SETTINGS } from './settings.ts'
import { readSsoProviders, type SsoProvider } from './sso-providers.ts'

const shape = { ...consoleSettings, ...metricsSettings, ...auditSettings, ...operatorSettings, ...storeSettings }
const schema = z
  .object(shape)
  .refine((s) => (s.STOWAGE_TLS_CERT === undefined) === (s.STOWAGE_TLS_KEY === undefined), {
    path: ['STOWAGE_TLS_CERT'],
    error: 'must be given together with STOWAGE_TLS_KEY',
  })
  .refine((s) => (s.STOWAGE_SERVICE_ACCESS_KEY === undefined) === (s.STOWAGE_SERVICE_SECRET_KEY === undefined), {
    path: ['STOWAGE_SERVICE_ACCESS_KEY'],
    error: 'must be given together with STOWAGE_SERVICE_SECRET_KEY',
  })
  .refine((s) => s.STOWAGE_LICENSE_URL === undefined || s.STOWAGE_LICENSE_KEY !== undefined, {
    path: ['STOWAGE_LICENSE_URL'],
    error: 'must be given together with STOWAGE_LICENSE_KEY',
  })

/** The parsed settings, by the names of their variables. */
type Settings = z.infer<typeof schema>

type Environment = Readonly<Record<string, string | undefined>>

/** The configuration of the console. */
export interface ConsoleConfig {
  host: string
  port: number
  /** The storage server; absent if the embedded store is to be started. */
  server: URL | undefined
  /** The storage server's address for others, if different. */
  serverPublicUrl: URL | undefined
  /** Absolute path of the data folder. */
  data: string
  region: string
  sessionSeconds: number
  /** Secrets that session keys are derived from; the first one seals. Absent: use the one in the data folder. */
  secrets: readonly string[] | undefined
  /** Number of proxies in front of the console whose `X-Forwarded-*` headers are trusted. */
  proxies: number
  publicUrl: URL | undefined
  tls: { certFile: string; keyFile: string } | undefined
  /** File with additional certificate authorities for the storage server. */
  caFile: string | undefined
  /** One line for each setting with a weak value that was accepted. */
  warnings: readonly string[]
  /** Identity providers for sign-in to the console. */
  providers: readonly SsoProvider[]
  /** Whether users of a directory (LDAP) can sign in; undefined: as the storage server is configured. */
  ldap: boolean | undefined
  /** Rules for connections to addresses that users enter. */
  egress: EgressRules
  /** The license of the connected server; absent without one, or without the key to check it. */
  license: { token: string; keyFile: string } | undefined
  /** Source of the dashboard's figures. */
  metrics: MetricsConfig
  /** What is recorded, and how long audit records are kept. */
  audit: AuditConfig
  /** File with the public key of the issuer of licenses (PEM). */
  licenseKeyFile: string | undefined
  /** Service that issues licenses of the connected server. */
  licenseUrl: URL | undefined
  logLevel: Settings['STOWAGE_LOG_LEVEL']
  /** Whether answers are checked against the contract: in tests and in development. */
  checkAnswers: boolean
  /** Present in operator mode. */
  operator: OperatorConfig | undefined
  /** Settings of the embedded store. */
  store: {
    environment: Environment
    host: string
    /** The configured credentials; a missing part is generated and kept in the data folder. */
    root: { accessKey: string | undefined; secretKey: string | undefined }
  }
}

export interface OperatorConfig {
  /** The API server of the cluster. */
  server: URL
  /** File with its certificate authorities. */
  caFile: string | undefined
  clusterDomain: string
  /** Namespace of the console's own objects, such as the license. */
  namespace: string
  /** The image of new tenants that name none. */
  tenantImage: string | undefined
  /** Template with placeholders, if tenants are not reached by their names in the cluster. */
  tenantUrl: string | undefined
  /** Service that issues licenses. */
  subnetUrl: string | undefined
  /** Where tenants' own consoles are shown. */
  proxy: {
    port: number
    /** URL for browsers; `{tenant}` is replaced by a label per tenant. Absent: the host of the console with that port. */
    url: string | undefined
  }
}

/** A wrong or unknown setting. The message is one line for the user who starts the console. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Reads the settings from an environment. No other code reads it.
 * @throws ConfigError naming the setting, its value and what is allowed
 */
export function readConfig(environment: Environment): ConsoleConfig {
  const given = collectSettings(environment)
  const result = schema.safeParse(Object.fromEntries([...given].map(([name, { value }]) => [name, value])))
  if (!result.success) throw wrongValue(result.error, given)
  const s = result.data
  return {
    host: s.STOWAGE_HOST,
    port: s.STOWAGE_PORT,
    server: s.STOWAGE_SERVER,
    serverPublicUrl: s.STOWAGE_SERVER_PUBLIC_URL,
    data: resolve(s.STOWAGE_DATA),
    region: s.STOWAGE_REGION ?? DEFAULT_REGION,
    sessionSeconds: Math.round(s.STOWAGE_SESSION_HOURS * 3600),
    secrets: s.STOWAGE_SECRET,
    proxies: s.STOWAGE_TRUST_PROXY,
    publicUrl: s.STOWAGE_PUBLIC_URL,
    tls:
      s.STOWAGE_TLS_CERT !== undefined && s.STOWAGE_TLS_KEY !== undefined
        ? { certFile: s.STOWAGE_TLS_CERT, keyFile: s.STOWAGE_TLS_KEY }
        : undefined,
    caFile: s.STOWAGE_TLS_CA,
    warnings: settingWarnings(given),
    egress: egressRules(s),
    license:
      s.STOWAGE_LICENSE !== undefined && s.STOWAGE_LICENSE_KEY !== undefined
        ? { token: s.STOWAGE_LICENSE, keyFile: s.STOWAGE_LICENSE_KEY }
        : undefined,
    licenseKeyFile: s.STOWAGE_LICENSE_KEY,
    licenseUrl: s.STOWAGE_LICENSE_URL,
    providers: readSsoProviders(environment),
    audit: auditConfig(s),
    ldap: s.STOWAGE_LDAP,
    metrics: metricsConfig(s, s.STOWAGE_SERVER === undefined),
    logLevel: s.STOWAGE_LOG_LEVEL,
    checkAnswers: environment.NODE_ENV === 'test' || environment.NODE_ENV === 'development',
    operator: s.STOWAGE_MODE === 'operator' ? readOperatorConfig(s, environment) : undefined,
    store: {
      environment: {
        ...pick(environment, ['PATH', 'HOME', 'TMPDIR', 'NODE_ENV', 'TZ']),
        // Configuration of the store, which ignores variables that it does not know.
        ...Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith('MINIO_'))),
        ...Object.fromEntries([...given].filter(([name]) => name in storeSettings).map(([name, g]) => [name, g.value])),
      },
      host: s.STOWAGE_STORE_HOST,
      root: { accessKey: s.STOWAGE_ROOT_USER, secretKey: s.STOWAGE_ROOT_PASSWORD },
    },
  }
}

/** File in a pod with the certificate authorities of its cluster. The token next to it is never read. */
const POD_CA = '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt'

/** Outside a pod there is no default address, because an unknown server could answer there. */
function readOperatorConfig(s: Settings, environment: Environment): OperatorConfig {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = environment
  const inPod = host ? new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`) : undefined
  const server = s.STOWAGE_KUBE_SERVER ?? inPod
  if (!server)
    throw new ConfigError(
      'STOWAGE_KUBE_SERVER is not set: operator mode needs the URL of the API server of the cluster',
    )
  return {
    server,
    caFile: s.STOWAGE_KUBE_CA ?? (s.STOWAGE_KUBE_SERVER ? undefined : POD_CA),
    clusterDomain: s.STOWAGE_CLUSTER_DOMAIN,
    namespace: s.STOWAGE_NAMESPACE,
    tenantImage: s.STOWAGE_TENANT_IMAGE,
    tenantUrl: s.STOWAGE_TENANT_URL,
    subnetUrl: s.STOWAGE_SUBNET_URL,
    proxy: readProxyConfig(s),
  }
}

/**
 * The proxy must be on the same site, because browsers keep no cookies in frames of other sites, so users could not stay signed
 * in.
 */
function readProxyConfig(s: Settings): OperatorConfig['proxy'] {
  const { STOWAGE_PROXY_URL: url, STOWAGE_PUBLIC_URL: own } = s
  const shown = url === undefined ? undefined : new URL(url.replace('{tenant}', 'tenant'))
  if (shown && !own)
    throw new ConfigError(
      `STOWAGE_PROXY_URL is ${url}, but STOWAGE_PUBLIC_URL is not set: both must be of the same site, so both must be known`,
    )
  if (shown && own && (shown.protocol !== own.protocol || siteDomain(shown) !== siteDomain(own)))
    throw new ConfigError(
      `STOWAGE_PROXY_URL is ${url}: it must be of the same site as STOWAGE_PUBLIC_URL, ${own.origin}`,
    )
  if (shown && own && shown.origin === own.origin)
    throw new ConfigError(
      `STOWAGE_PROXY_URL is ${url}: it must differ from STOWAGE_PUBLIC_URL, or scripts of tenants could act as their operator`,
    )
  const next = s.STOWAGE_PORT === 0 ? 0 : s.STOWAGE_PORT + 1
  return { port: s.STOWAGE_PROXY_PORT ?? next, url }
}

/** Returns the site of an address as browsers define it: below `co.uk` or `github.io` each name is a separate one. */
function siteDomain({ hostname }: URL): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname
}

interface GivenSetting {
  value: string
  /** The variable that contained it. */
  source: string
  /** The value as written, before conversion. */
  written: string
  warning?: string | undefined
}

function collectSettings(environment: Environment): Map<string, GivenSetting> {
  const given = new Map<string, GivenSetting>()
  for (const [original, { name, read }] of Object.entries(ORIGINAL_NAMES)) {
    const value = environment[original]
    if (value) given.set(name, { ...(read ? read(value) : { value }), source: original, written: value })
  }
  for (const [name, value] of Object.entries(environment)) {
    // As usual in a shell, an empty variable counts as unset.
    if (!name.startsWith('STOWAGE_') || !value) continue
    // Variables of the tests, which a console started by a test inherits.
    if (name.startsWith('STOWAGE_TEST_')) continue
    if (!(name in shape)) throw unknownName(name)
    given.set(name, { value, source: name, written: value })
  }
  return given
}

function settingWarnings(given: ReadonlyMap<string, GivenSetting>): string[] {
  return [...given].flatMap(([name, { source, warning }]) =>
    warning === undefined ? [] : [`${source} ${warning}. The setting is now called ${name}.`],
  )
}

function unknownName(name: string): ConfigError {
  const guess = nearestName(name, Object.keys(shape))
  return new ConfigError(
    `${name} is not a setting.${guess ? ` Did you mean ${guess}?` : ''} Run with --help to list all settings.`,
  )
}

function wrongValue(error: z.ZodError, given: ReadonlyMap<string, GivenSetting>): ConfigError {
  const issue = error.issues[0]
  const name = String(issue?.path[0] ?? 'STOWAGE_*')
  const entry = given.get(name)
  const shown = SECRET_SETTINGS.has(name) ? '(not shown)' : JSON.stringify(entry?.written ?? '')
  return new ConfigError(`${entry?.source ?? name} is ${shown}: ${issue?.message ?? 'wrong value'}`)
}

function pick(environment: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** Returns the text of `--help`: every setting with its default and meaning. */
export function settingsHelp(): string {
  const originals = Object.entries(ORIGINAL_NAMES).map(([original, { name }]) => `  ${original} → ${name}`)
  return [
    ...settingsHelpLines(shape),
    '',
    'Settings of the original console that are accepted as well:',
    ...originals,
    '  CONSOLE_IDP_URL, _CLIENT_ID, _SECRET, _CALLBACK, _SCOPES, _DISPLAY_NAME, _TOKEN_EXPIRATION, _ROLE_ARN,',
    '  _END_SESSION_ENDPOINT: sign-in at an OpenID provider. With a suffix (CONSOLE_IDP_URL_KEYCLOAK …) for each further one.',
  ].join('\n')
}
