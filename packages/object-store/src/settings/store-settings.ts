import path from 'node:path'
import { egressSettings } from '@stowage/egress/settings'
import { z } from 'zod'

const UNITS: Record<string, number> = { '': 1, B: 1, KIB: 1024, MIB: 1024 ** 2, GIB: 1024 ** 3, TIB: 1024 ** 4 }

/** Reads a size in bytes, plain or with a binary unit: `536870912`, `512MiB`, `1.5 GiB`. */
export const byteSize = z.string().transform((text, context) => {
  const [, value, unit] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? []
  const factor = UNITS[unit?.toUpperCase() ?? 'none']
  if (value === undefined || factor === undefined) {
    context.addIssue({ code: 'custom', message: 'must be a number of bytes, or a number with KiB, MiB, GiB or TiB' })
    return z.NEVER
  }
  return Math.floor(Number(value) * factor)
})

const yesOrNo = z
  .string()
  .regex(/^(1|0|true|false|on|off|yes|no)$/i, 'must be on or off')
  .transform((text) => /^(1|true|on|yes)$/i.test(text))

/** The region in answers when none is set. */
export const DEFAULT_REGION = 'us-east-1'

const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

/**
 * The store's settings as a raw shape, so that the console's server can merge them into its own schema and print them in
 * `--help`. The values come from the environment.
 */
export const storeSettings = {
  STOWAGE_STORE_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .default(9000)
    .describe('Port of the embedded store (S3, STS and admin API). 0 selects a free port.'),
  STOWAGE_STORE_HOST: z.string().min(1).default('127.0.0.1').describe('Address that the embedded store listens on.'),
  STOWAGE_DATA: z.string().min(1).default('./data').describe('Data folder, for settings and generated credentials.'),
  STOWAGE_DRIVES: commaList
    .optional()
    .describe(
      'Folders for the objects, separated by commas, if possible on different disks. With one folder there is a single ' +
        'copy; with two or more, every byte is stored twice. Default: drives/1 to drives/4 in the data folder.',
    ),
  STOWAGE_ROOT_USER: z
    .string()
    .min(3)
    .regex(/^[^=,\s]+$/, 'must not contain spaces, "=" or ","')
    .optional()
    .describe(
      'Access key of the administrator (at least 3 characters). Default: generated once and kept in the data folder.',
    ),
  STOWAGE_ROOT_PASSWORD: z
    .string()
    .min(8)
    .optional()
    .describe(
      'Secret key of the administrator (at least 8 characters). Default: generated once and kept in the data folder. ' +
        'Changing it ends all sessions.',
    ),
  STOWAGE_STORE_DOMAIN: commaList
    .optional()
    .describe('Domains for addresses of the form bucket.domain, separated by commas.'),
  // Not the console's STOWAGE_TRUST_PROXY: clients may reach the store without the proxy.
  STOWAGE_STORE_TRUST_PROXY: yesOrNo
    .default(false)
    .describe(
      'Whether the store trusts X-Forwarded-For and -Proto, for the policy keys aws:SourceIp and aws:SecureTransport. ' +
        'Turn it on only if clients cannot bypass the proxy that sets them.',
    ),
  STOWAGE_STORE_SANDBOX: yesOrNo
    .default(true)
    .describe(
      'Whether objects that a browser could run (HTML, SVG, XML …) are sent with a sandboxing Content-Security-Policy. ' +
        'Turn it off for static sites, if everyone who can write to a bucket is trusted.',
    ),
  STOWAGE_SIGV2: yesOrNo
    .default(true)
    .describe(
      'Whether presigned URLs and forms may be signed by Signature Version 2, as boto3 and version 1 of the AWS command ' +
        'line do by default. Other requests never may.',
    ),
  STOWAGE_METRICS_AUTH: z
    .enum(['jwt', 'public'])
    .default('jwt')
    .describe(
      'Who may read the metrics at /minio/v2/metrics/: jwt (bearer tokens of users with the right admin:Prometheus) or ' +
        'public (everyone).',
    ),
  STOWAGE_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/i, 'must contain only letters, digits and "-"')
    .optional()
    .describe(
      `Region that signatures must name. Default: signatures may name any region, and the store reports ${DEFAULT_REGION}.`,
    ),
  STOWAGE_MIN_FREE: byteSize
    .default(512 * 1024 ** 2)
    .describe('Writes are refused when a drive has less free space than this: bytes, or with a unit (512MiB).'),
  STOWAGE_DISCARD_ENCRYPTED: yesOrNo
    .default(false)
    .describe(
      'For one start after encryption-keys.json was lost: permanently removes what it encrypted (users, groups, ' +
        'policies and sessions).',
    ),
  STOWAGE_QUEUE_DIRS: commaList
    .optional()
    .describe(
      'Folders, separated by commas, below which a notification target may keep its queue (queue_dir), besides the ' +
        'folder queues of the data folder.',
    ),
  STOWAGE_CERT_DIRS: commaList
    .optional()
    .describe(
      'Folders, separated by commas, below which certificates and keys of notification targets may be, besides the ' +
        'folder certs of the data folder.',
    ),
  ...egressSettings,
  STOWAGE_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Log level: trace, debug, info, warn, error or silent.'),
}

const schema = z.object(storeSettings)
export type StoreSettings = z.infer<typeof schema>

/** A setting with a wrong value; the message names it, its value and what is allowed. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/** @throws SettingsError naming the first wrong setting */
export function parseStoreSettings(environment: Record<string, string | undefined>): StoreSettings {
  // An empty variable means unset, as everywhere in a shell.
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const name = String(issue?.path[0] ?? 'STOWAGE_*')
  const shown = name === 'STOWAGE_ROOT_PASSWORD' ? '(not shown)' : JSON.stringify(environment[name] ?? '')
  throw new SettingsError(`${name} is ${shown}: ${issue?.message ?? 'wrong value'}`)
}

/** The drive folders of these settings, absolute. */
export function driveFolders(settings: Pick<StoreSettings, 'STOWAGE_DATA' | 'STOWAGE_DRIVES'>): string[] {
  const data = path.resolve(settings.STOWAGE_DATA)
  const drives = settings.STOWAGE_DRIVES ?? []
  if (drives.length > 0) return drives.map((drive) => path.resolve(drive))
  return [1, 2, 3, 4].map((n) => path.join(data, 'drives', String(n)))
}
