import { scryptSync } from 'node:crypto'
import { z } from 'zod'

/** Proxies in a row; `on` is one. */
const proxyCount = z
  .string()
  .regex(/^(\d|true|false|on|off|yes|no)$/i, 'must be on, off or how many proxies stand in a row, up to 9')
  .transform((text) => (/^\d$/.test(text) ? Number(text) : Number(/^(true|on|yes)$/i.test(text))))

const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
  .transform((text) => new URL(text))

const serverAddress = webAddress.refine((url) => url.pathname === '/' && url.search === '' && url.username === '', {
  error: 'must be scheme, host and port alone, as in https://s3.example.com:9000',
})

/** Shorter secrets can be guessed; `openssl rand -hex 32` makes a good one. */
const SECRET_LENGTH = 16

/** What servers of this family give. */
const SESSION_HOURS = { min: 0.25, max: 8760 }

const secrets = z
  .string()
  .transform((text) => text.split(',').map((secret) => secret.trim()))
  .refine((list) => list.every((secret) => secret.length >= SECRET_LENGTH), {
    error: `must have at least ${SECRET_LENGTH} characters, each of them when several are given`,
  })

/** The console's own settings; the store's are merged in by `config.ts`. Names are those of the environment. */
export const consoleSettings = {
  STOWAGE_PORT: z.coerce
    .number({ error: 'must be a port number, 0 to 65535' })
    .int()
    .min(0)
    .max(65535)
    .default(9090)
    .describe('Port of the console. 0 takes a free one.'),
  STOWAGE_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address that the console listens on; 0.0.0.0 is every network of this machine.'),
  STOWAGE_SERVER: serverAddress
    .optional()
    .describe('Address of the storage server. Unset: the embedded store is started.'),
  STOWAGE_PUBLIC_URL: webAddress
    .refine((url) => url.username === '' && url.search === '' && url.hash === '', {
      error: 'must be scheme, host, port and path alone, as in https://example.com/console/',
    })
    .optional()
    .describe(
      'Address under which browsers reach the console, when a proxy stands in front; its path is the base path. ' +
        'When it begins with https://, browsers send the session over TLS only.',
    ),
  STOWAGE_TRUST_PROXY: proxyCount
    .default(0)
    .describe(
      'Whether X-Forwarded-For, -Proto, -Host and -Prefix are believed: off, on, or how many proxies stand in a row. ' +
        'Only where clients cannot reach the console past them. The storage server is told the address found so.',
    ),
  STOWAGE_SESSION_HOURS: z.coerce
    .number({ error: 'must be a number of hours, 0.25 to 8760' })
    .min(SESSION_HOURS.min)
    .max(SESSION_HOURS.max)
    .default(12)
    .describe('How long a sign-in lasts, in hours. The storage server may shorten it.'),
  STOWAGE_SECRET: secrets
    .optional()
    .describe(
      'Text that the key of the sessions is made of; the same on all consoles behind one balancer. Several, separated ' +
        'by commas: the first seals, all of them open. Unset: generated once, kept in the data folder.',
    ),
  STOWAGE_TLS_CERT: z.string().min(1).optional().describe('File with the certificate chain of the console, PEM.'),
  STOWAGE_TLS_KEY: z.string().min(1).optional().describe('File with the private key of that certificate, PEM.'),
  STOWAGE_TLS_CA: z
    .string()
    .min(1)
    .optional()
    .describe('File with further certificate authorities, PEM, that may sign for the storage server.'),
}

/** Settings whose value is never shown. */
export const SECRET_SETTINGS: ReadonlySet<string> = new Set(['STOWAGE_SECRET', 'STOWAGE_ROOT_PASSWORD'])

/** A value of the original console, as it is read here. */
export interface OriginalValue {
  value: string
  /** Why another value would be better, as the end of a sentence about the setting. */
  warning?: string
}

export interface OriginalName {
  name: string
  /** Default: as it is. */
  read?: (value: string) => OriginalValue
}

/** Names of the original console with a meaning here; the value of the STOWAGE_ name wins. What it took is taken. */
export const ORIGINAL_NAMES: Readonly<Record<string, OriginalName>> = {
  CONSOLE_MINIO_SERVER: { name: 'STOWAGE_SERVER', read: originalServer },
  CONSOLE_MINIO_REGION: { name: 'STOWAGE_REGION' },
  CONSOLE_HOSTNAME: { name: 'STOWAGE_HOST' },
  CONSOLE_PORT: { name: 'STOWAGE_PORT' },
  CONSOLE_PBKDF_PASSPHRASE: { name: 'STOWAGE_SECRET', read: originalPassphrase },
  CONSOLE_STS_DURATION: { name: 'STOWAGE_SESSION_HOURS', read: (value) => sessionHours(goDurationHours(value)) },
  // Seconds win, as in the original: of two names for one setting the later one here counts.
  CONSOLE_STS_DURATION_SECONDS: {
    name: 'STOWAGE_SESSION_HOURS',
    read: (value) => sessionHours(/^\d+$/.test(value) ? Number(value) / 3600 : Number.NaN),
  },
}

/** The original looked at scheme, host and port only. */
function originalServer(written: string): OriginalValue {
  const address = written.trim()
  if (!/^https?:/.test(address) || !URL.canParse(address)) return { value: address }
  const { origin, pathname, search } = new URL(address)
  if (pathname === '/' && search === '') return { value: address }
  return { value: origin, warning: `has a path, which is not used; the storage server is ${origin}` }
}

/** The original took a passphrase of any length, and commas are part of it. A short one is stretched: it can be guessed. */
function originalPassphrase(passphrase: string): OriginalValue {
  const isShort = passphrase.trim().length < SECRET_LENGTH
  if (!isShort && !passphrase.includes(',')) return { value: passphrase }
  const value = scryptSync(passphrase, 'stowage', 32).toString('hex')
  if (!isShort) return { value }
  const warning = `has fewer than ${SECRET_LENGTH} characters; whoever guesses it can open stolen sessions`
  return { value, warning: `${warning}. \`openssl rand -hex 32\` makes a better one` }
}

function sessionHours(hours: number): OriginalValue {
  const allowed = Math.min(Math.max(hours, SESSION_HOURS.min), SESSION_HOURS.max)
  if (hours === allowed || Number.isNaN(hours)) return { value: String(hours) }
  return { value: String(allowed), warning: `is outside of what servers allow; sessions last ${allowed} hours` }
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

/** Hours of a duration as Go writes it, `2h45m`; NaN when it is not one. */
export function goDurationHours(text: string): number {
  const parts = [...text.matchAll(DURATION_PART)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text.replace(/^\+/, '')) return Number.NaN
  return parts.reduce((seconds, [, value, unit]) => seconds + Number(value) * (SECONDS[unit ?? ''] ?? 0), 0) / 3600
}
