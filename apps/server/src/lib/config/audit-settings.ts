import { z } from 'zod'
import { byteSize } from '../store-package/index.ts'

/** Settings of audit records: what is recorded, and how long it is kept. */
export const auditSettings = {
  STOWAGE_AUDIT: z
    .enum(['on', 'off'], { error: 'must be on or off' })
    .default('on')
    .describe(
      'Whether the console keeps an audit record of what is done in it, and of each request to the embedded store. ' +
        'Records that storage servers send are kept in any case.',
    ),
  STOWAGE_AUDIT_DAYS: z.coerce
    .number({ error: 'must be a number of days, 1 to 3650' })
    .int()
    .min(1)
    .max(3650)
    .default(30)
    .describe('Days after which audit records are deleted.'),
  STOWAGE_AUDIT_MAX: byteSize
    .default(2 * 2 ** 30)
    .describe('Greatest size of the audit records: bytes, or with a unit (2GiB). The oldest are deleted first.'),
  STOWAGE_DATABASE_URL: z
    .url({
      protocol: /^postgres(ql)?$/,
      error: 'must be a URL such as postgres://user:password@db.example.com/stowage',
    })
    .optional()
    .describe(
      'URL of a PostgreSQL database (tested with 15) for the audit records. Several consoles can use the same one, with the same ' +
        'STOWAGE_SECRET. Default: files in the data folder.',
    ),
  STOWAGE_LOG_QUERY_URL: z
    .url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' })
    .transform((written) => new URL(written))
    .optional()
    .describe(
      'URL of a log search service of 2021 (MinIO operator). Audit Logs then shows its records. Default: the records that the ' +
        'console keeps itself.',
    ),
  STOWAGE_LOG_QUERY_AUTH_TOKEN: z.string().min(1).optional().describe('Query token of that service.'),
}

export interface AuditConfig {
  /** Whether the console records its own actions and those of the embedded store. */
  records: boolean
  days: number
  maxBytes: number
  /** URL of the database that keeps the records; absent: the data folder does. */
  database: string | undefined
  /** The service whose records are searched, in place of the console's. */
  service: { url: URL; token: string } | undefined
}

const shape = z.object(auditSettings)

export function auditConfig(s: z.infer<typeof shape>): AuditConfig {
  return {
    records: s.STOWAGE_AUDIT === 'on',
    days: s.STOWAGE_AUDIT_DAYS,
    maxBytes: s.STOWAGE_AUDIT_MAX,
    database: s.STOWAGE_DATABASE_URL,
    service: s.STOWAGE_LOG_QUERY_URL && {
      url: s.STOWAGE_LOG_QUERY_URL,
      token: s.STOWAGE_LOG_QUERY_AUTH_TOKEN ?? '',
    },
  }
}

/** Names of the same settings in the original console and in servers that contain it. The later ones count. */
export const ORIGINAL_AUDIT_NAMES = {
  MINIO_LOG_QUERY_URL: { name: 'STOWAGE_LOG_QUERY_URL' },
  MINIO_LOG_QUERY_AUTH_TOKEN: { name: 'STOWAGE_LOG_QUERY_AUTH_TOKEN' },
  LOGSEARCH_QUERY_AUTH_TOKEN: { name: 'STOWAGE_LOG_QUERY_AUTH_TOKEN' },
  CONSOLE_LOG_QUERY_URL: { name: 'STOWAGE_LOG_QUERY_URL' },
  CONSOLE_LOG_QUERY_AUTH_TOKEN: { name: 'STOWAGE_LOG_QUERY_AUTH_TOKEN' },
}
