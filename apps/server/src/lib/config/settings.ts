import { scryptSync } from 'node:crypto'
import { z } from 'zod'
import { ORIGINAL_AUDIT_NAMES } from './audit-settings.ts'
import { ORIGINAL_METRICS_NAMES } from './metrics-settings.ts'

/** The number of proxies in front; `on` is one. */
const proxyCount = z
  .string()
  .regex(/^(\d|true|false|on|off|yes|no)$/i, 'must be on, off, or the number of proxies in front (0 to 9)')
  .transform((text) => (/^\d$/.test(text) ? Number(text) : Number(/^(true|on|yes)$/i.test(text))))

const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' })
  .transform((text) => new URL(text))

const serverAddress = webAddress.refine((url) => url.pathname === '/' && url.search === '' && url.username === '', {
  error: 'must contain only scheme, host and port, such as https://s3.example.com:9000',
})

/** Shorter secrets can be guessed; `openssl rand -hex 32` makes a good one. */
const SECRET_LENGTH = 16

/** The limits of MinIO and its forks. */
const SESSION_HOURS = { min: 0.25, max: 8760 }

const secrets = z
  .string()
  .transform((text) => text.split(',').map((secret) => secret.trim()))
  .refine((list) => list.every((secret) => secret.length >= SECRET_LENGTH), {
    error: `must have at least ${SECRET_LENGTH} characters; with several secrets, each of them`,
  })

/** The console's own settings; `config.ts` adds those of the store. Names are environment variables. */
export const consoleSettings = {
  STOWAGE_PORT: z.coerce
    .number({ error: 'must be a port number, 0 to 65535' })
    .int()
    .min(0)
    .max(65535)
    .default(9090)
    .describe('Port of the console. 0 selects a free port.'),
  STOWAGE_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address that the console listens on. 0.0.0.0 listens on all networks of this machine.'),
  STOWAGE_SERVER: serverAddress
    .optional()
    .describe('URL of the storage server. Default: the embedded store is started.'),
  STOWAGE_SERVER_PUBLIC_URL: serverAddress
    .optional()
    .describe(
      'URL of the storage server for others, written into links that are shared. Default: the URL by which the console ' +
        'reaches it. The name in requests must arrive there unchanged, because it is signed.',
    ),
  STOWAGE_PUBLIC_URL: webAddress
    .refine((url) => url.username === '' && url.search === '' && url.hash === '', {
      error: 'must contain only scheme, host, port and path, such as https://example.com/console/',
    })
    .optional()
    .describe(
      'URL of the console for browsers, if it is behind a proxy. Its path is the base path. With https://, browsers ' +
        'send the session over TLS only.',
    ),
  STOWAGE_TRUST_PROXY: proxyCount
    .default(0)
    .describe(
      'Whether to trust X-Forwarded-For, -Proto, -Host and -Prefix: off, on, or the number of proxies in front. Turn it ' +
        'on only if clients cannot bypass the proxies. The storage server receives the client address found this way.',
    ),
  STOWAGE_SESSION_HOURS: z.coerce
    .number({ error: 'must be a number of hours, 0.25 to 8760' })
    .min(SESSION_HOURS.min)
    .max(SESSION_HOURS.max)
    .default(12)
    .describe('Duration of a session in hours. The storage server may shorten it.'),
  STOWAGE_SECRET: secrets
    .optional()
    .describe(
      'Secret that session keys are derived from. Consoles behind one load balancer need the same secret. Several ' +
        'secrets, separated by commas: the first one encrypts, all of them decrypt. Default: generated once and kept in ' +
        'the data folder.',
    ),
  STOWAGE_LDAP: z
    .string()
    .regex(/^(1|0|true|false|on|off|yes|no)$/i, 'must be on or off')
    .transform((text) => /^(1|true|on|yes)$/i.test(text))
    .optional()
    .describe(
      'Whether users of the directory (LDAP) of the storage server can sign in. Default: on while ' +
        'that server has a directory.',
    ),
  STOWAGE_TLS_CERT: z.string().min(1).optional().describe('File with the certificate chain of the console (PEM).'),
  STOWAGE_TLS_KEY: z.string().min(1).optional().describe('File with the private key of that certificate (PEM).'),
  STOWAGE_TLS_CA: z
    .string()
    .min(1)
    .optional()
    .describe('File with additional certificate authorities for the connection to the storage server (PEM).'),
  STOWAGE_LICENSE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'License of the connected server, as its vendor issued it. The License page shows it without contacting a service.',
    ),
  STOWAGE_LICENSE_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('File with the public key by which licenses are checked (PEM).'),
  STOWAGE_LICENSE_URL: webAddress
    .optional()
    .describe(
      'URL of a service that issues and renews licenses of the connected server for an account. It is called only when a ' +
        'user activates or refreshes the license. Default: none.',
    ),
}

const filePath = z.string().min(1)

/** Settings of operator mode, in which the console manages the tenants of a Kubernetes cluster. */
export const operatorSettings = {
  STOWAGE_MODE: z
    .enum(['storage', 'operator'], { error: 'must be storage or operator' })
    .default('storage')
    .describe('What the console manages: a storage server, or with "operator" the tenants of a Kubernetes cluster.'),
  STOWAGE_KUBE_SERVER: z
    .url({ protocol: /^https$/, error: 'must be a URL that starts with https://' })
    .transform((text) => new URL(text))
    .optional()
    .describe(
      'Operator mode: URL of the API server of the cluster. Default: the one of the pod that the console runs in.',
    ),
  STOWAGE_KUBE_CA: filePath
    .optional()
    .describe(
      'Operator mode: file with the certificate authorities of the API server (PEM). Default: those of the pod.',
    ),
  STOWAGE_CLUSTER_DOMAIN: z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, 'must be a domain, such as cluster.local')
    .default('cluster.local')
    .describe('Operator mode: domain of the services of the cluster.'),
  STOWAGE_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, 'must be the name of a namespace')
    .default('minio-operator')
    .describe("Operator mode: namespace of the secret that keeps the cluster's license."),
  STOWAGE_SUBNET_URL: z
    .url({ protocol: /^https?$/, error: 'must be a URL' })
    .optional()
    .describe(
      'Operator mode: service that issues and renews licenses for an account. Default: none; licenses are entered.',
    ),
  STOWAGE_TENANT_IMAGE: z
    .string()
    .optional()
    .describe("Operator mode: image of new tenants that do not name one. Default: the operator's."),
  STOWAGE_TENANT_URL: z
    .string()
    .regex(
      /^https?:\/\/[^/]+$/,
      'must be a URL without a path, such as https://{service}.{namespace}.example.com:{port}',
    )
    .optional()
    .describe(
      'Operator mode: where a console outside of the cluster reaches the services of tenants, with the placeholders ' +
        '{namespace}, {tenant}, {service}, {port} and {nodePort}. Default: the names of the cluster.',
    ),
  STOWAGE_PROXY_PORT: z.coerce
    .number({ error: 'must be a port number, 0 to 65535' })
    .int()
    .min(0)
    .max(65535)
    .optional()
    .describe(
      'Operator mode: port at which the consoles of the tenants themselves are shown. Default: STOWAGE_PORT ' +
        'plus one. 0 selects a free port.',
    ),
  STOWAGE_PROXY_URL: z
    .string()
    .regex(
      /^https?:\/\/(\{tenant\}\.)?[a-z0-9][a-z0-9.-]*(:\d{1,5})?$/,
      'must be a URL without a path, such as https://{tenant}.tenants.example.com',
    )
    .optional()
    .describe(
      'Operator mode: URL of STOWAGE_PROXY_PORT for browsers, if it is behind a proxy. It must be of the same site as ' +
        'STOWAGE_PUBLIC_URL, as browsers keep no cookies in frames of other sites. With {tenant} as first label each tenant has ' +
        'a separate origin, so that the scripts of one cannot use the login at another. Default: the host of the ' +
        'console with that port.',
    ),
}

/** Settings whose value is never shown. */
export const SECRET_SETTINGS: ReadonlySet<string> = new Set([
  'STOWAGE_DATABASE_URL',
  'STOWAGE_LICENSE',
  'STOWAGE_LOG_QUERY_AUTH_TOKEN',
  'STOWAGE_PROMETHEUS_AUTH_PASSWORD',
  'STOWAGE_PROMETHEUS_AUTH_TOKEN',
  'STOWAGE_SECRET',
  'STOWAGE_SERVICE_SECRET_KEY',
  'STOWAGE_ROOT_PASSWORD',
])

/** A converted setting of the original console. */
export interface OriginalValue {
  value: string
  /** Why another value would be better: the rest of a sentence that starts with the name of the setting. */
  warning?: string
}

export interface OriginalName {
  name: string
  /** Converts the value; by default it is unchanged. */
  read?: (value: string) => OriginalValue
}

/** Settings of the original console that are accepted with all their values. A STOWAGE_ setting takes precedence. */
export const ORIGINAL_NAMES: Readonly<Record<string, OriginalName>> = {
  CONSOLE_LDAP_ENABLED: { name: 'STOWAGE_LDAP' },
  CONSOLE_MINIO_SERVER: { name: 'STOWAGE_SERVER', read: originalServer },
  CONSOLE_MINIO_REGION: { name: 'STOWAGE_REGION' },
  CONSOLE_OPERATOR_MODE: {
    name: 'STOWAGE_MODE',
    read: (value) => ({ value: value === 'on' ? 'operator' : 'storage' }),
  },
  CONSOLE_K8S_API_SERVER: { name: 'STOWAGE_KUBE_SERVER' },
  CONSOLE_K8S_API_SERVER_TLS_ROOT_CA: { name: 'STOWAGE_KUBE_CA' },
  OPERATOR_K8S_API_SERVER: { name: 'STOWAGE_KUBE_SERVER' },
  OPERATOR_K8S_API_SERVER_TLS_ROOT_CA: { name: 'STOWAGE_KUBE_CA' },
  CONSOLE_MINIO_IMAGE: { name: 'STOWAGE_TENANT_IMAGE' },
  OPERATOR_MINIO_IMAGE: { name: 'STOWAGE_TENANT_IMAGE' },
  CLUSTER_DOMAIN: { name: 'STOWAGE_CLUSTER_DOMAIN' },
  CONSOLE_SUBNET_URL: { name: 'STOWAGE_SUBNET_URL' },
  CONSOLE_SUBNET_LICENSE: { name: 'STOWAGE_LICENSE' },
  ...ORIGINAL_METRICS_NAMES,
  ...ORIGINAL_AUDIT_NAMES,
  CONSOLE_HOSTNAME: { name: 'STOWAGE_HOST' },
  CONSOLE_PORT: { name: 'STOWAGE_PORT' },
  CONSOLE_PBKDF_PASSPHRASE: { name: 'STOWAGE_SECRET', read: originalPassphrase },
  CONSOLE_STS_DURATION: { name: 'STOWAGE_SESSION_HOURS', read: (value) => sessionHours(goDurationHours(value)) },
  // Seconds take precedence, as in the original: of two names for one setting, the later one in this list counts.
  CONSOLE_STS_DURATION_SECONDS: {
    name: 'STOWAGE_SESSION_HOURS',
    read: (value) => sessionHours(/^\d+$/.test(value) ? Number(value) / 3600 : Number.NaN),
  },
}

/** Converts an address: the original ignored everything except scheme, host and port. */
function originalServer(written: string): OriginalValue {
  const address = written.trim()
  if (!/^https?:/.test(address) || !URL.canParse(address)) return { value: address }
  const { origin, pathname, search } = new URL(address)
  if (pathname === '/' && search === '') return { value: address }
  return { value: origin, warning: `has a path, which is ignored: the storage server is ${origin}` }
}

/** Converts a passphrase: the original accepted any length, and commas. A short one can be guessed, so it is stretched. */
function originalPassphrase(passphrase: string): OriginalValue {
  const isShort = passphrase.trim().length < SECRET_LENGTH
  if (!isShort && !passphrase.includes(',')) return { value: passphrase }
  const value = scryptSync(passphrase, 'stowage', 32).toString('hex')
  if (!isShort) return { value }
  const warning = `has fewer than ${SECRET_LENGTH} characters: anyone who guesses it can read stolen sessions`
  return { value, warning: `${warning}. Create a better one with "openssl rand -hex 32"` }
}

function sessionHours(hours: number): OriginalValue {
  const allowed = Math.min(Math.max(hours, SESSION_HOURS.min), SESSION_HOURS.max)
  if (hours === allowed || Number.isNaN(hours)) return { value: String(hours) }
  return { value: String(allowed), warning: `is outside the range that servers allow: sessions last ${allowed} hours` }
}

const SECONDS: Readonly<Record<string, number>> = {
  h: 3600,
  m: 60,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ns: 1e-9,
}
const DURATION_PART = /(\d+\.?\d*|\.\d+)(h|ms|m|s|us|µs|μs|ns)/g

/** Returns the hours of a Go duration such as `2h45m`; NaN if it is not one. */
export function goDurationHours(text: string): number {
  const parts = [...text.matchAll(DURATION_PART)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text.replace(/^\+/, '')) return Number.NaN
  return parts.reduce((seconds, [, value, unit]) => seconds + Number(value) * (SECONDS[unit ?? ''] ?? 0), 0) / 3600
}
