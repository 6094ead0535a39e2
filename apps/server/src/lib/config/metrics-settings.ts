import { z } from 'zod'
import { byteSize } from '../store-package/index.ts'

const text = z.string().min(1)

/** Labels as `name=value`, separated by commas. */
const labels = z.string().transform((written, context) => {
  const pairs = written.split(',').map((pair) => /^\s*([a-zA-Z_]\w*)\s*=\s*"?([^"]*?)"?\s*$/.exec(pair))
  if (pairs.some((pair) => pair === null)) {
    context.addIssue({ code: 'custom', message: 'must be labels such as cluster=north,env=prod' })
    return z.NEVER
  }
  return Object.fromEntries(pairs.flatMap((pair) => (pair ? [[pair[1] ?? '', pair[2] ?? '']] : [])))
})

/** Settings of the source of the dashboard's figures. */
export const metricsSettings = {
  STOWAGE_PROMETHEUS_URL: z
    .url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' })
    .transform((written) => new URL(written))
    .optional()
    .describe(
      'URL of a Prometheus that scrapes the storage server. The dashboard reads it. Default: the console keeps a history of its own.',
    ),
  STOWAGE_PROMETHEUS_JOB_ID: text.default('minio-job').describe('Job of the storage server in Prometheus.'),
  STOWAGE_PROMETHEUS_AUTH_TOKEN: text.optional().describe('Bearer token for Prometheus.'),
  STOWAGE_PROMETHEUS_AUTH_USERNAME: text.optional().describe('User name for Prometheus.'),
  STOWAGE_PROMETHEUS_AUTH_PASSWORD: text.optional().describe('Password for Prometheus.'),
  STOWAGE_PROMETHEUS_EXTRA_LABELS: labels
    .optional()
    .describe('Further labels of the series in Prometheus, such as cluster=north,env=prod.'),
  STOWAGE_SERVICE_ACCESS_KEY: text
    .optional()
    .describe(
      'Access key by which the console samples the metrics of a storage server that is not embedded. It needs ' +
        'admin:Prometheus, admin:ServerInfo, admin:StorageInfo and admin:DataUsageInfo.',
    ),
  STOWAGE_SERVICE_SECRET_KEY: text.optional().describe('Secret key of that access key.'),
  STOWAGE_METRICS_INTERVAL: z.coerce
    .number({ error: 'must be a number of seconds, 0.2 to 3600' })
    .min(0.2)
    .max(3600)
    .optional()
    .describe(
      'Seconds between two samples of the metrics. Default: 15 for the embedded store, 30 for another storage server.',
    ),
  STOWAGE_METRICS_MAX: byteSize
    .default(512 * 2 ** 20)
    .describe('Greatest size of the history of the metrics: bytes, or with a unit (512MiB).'),
}

export interface MetricsConfig {
  /** Seconds between two samples. */
  interval: number
  /** Maximum size of the history in bytes. */
  maxBytes: number
  /** Credentials with which the console samples a storage server that is not embedded. */
  service: { accessKey: string; secretKey: string } | undefined
  prometheus:
    | { url: URL; job: string; authorization: string | undefined; extraLabels: Readonly<Record<string, string>> }
    | undefined
}

const shape = z.object(metricsSettings)

/** @param embedded whether the storage server is the embedded one */
export function metricsConfig(s: z.infer<typeof shape>, embedded: boolean): MetricsConfig {
  const { STOWAGE_SERVICE_ACCESS_KEY: accessKey, STOWAGE_SERVICE_SECRET_KEY: secretKey } = s
  return {
    interval: s.STOWAGE_METRICS_INTERVAL ?? (embedded ? 15 : 30),
    maxBytes: s.STOWAGE_METRICS_MAX,
    service: accessKey !== undefined && secretKey !== undefined ? { accessKey, secretKey } : undefined,
    prometheus: s.STOWAGE_PROMETHEUS_URL && {
      url: s.STOWAGE_PROMETHEUS_URL,
      job: s.STOWAGE_PROMETHEUS_JOB_ID,
      authorization: prometheusAuthorization(s),
      extraLabels: s.STOWAGE_PROMETHEUS_EXTRA_LABELS ?? {},
    },
  }
}

function prometheusAuthorization(s: z.infer<typeof shape>): string | undefined {
  if (s.STOWAGE_PROMETHEUS_AUTH_TOKEN !== undefined) return `Bearer ${s.STOWAGE_PROMETHEUS_AUTH_TOKEN}`
  const { STOWAGE_PROMETHEUS_AUTH_USERNAME: user, STOWAGE_PROMETHEUS_AUTH_PASSWORD: password = '' } = s
  return user === undefined ? undefined : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** Names of the same settings in the original console. */
export const ORIGINAL_METRICS_NAMES = Object.fromEntries(
  ['URL', 'JOB_ID', 'AUTH_TOKEN', 'AUTH_USERNAME', 'AUTH_PASSWORD', 'EXTRA_LABELS'].map((name) => [
    `CONSOLE_PROMETHEUS_${name}`,
    { name: `STOWAGE_PROMETHEUS_${name}` },
  ]),
)
