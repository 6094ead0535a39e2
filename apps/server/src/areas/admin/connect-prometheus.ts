import { widgetCalls } from '@stowage/contract/admin/widgets'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../lib/http/serve.ts'
import type { Metrics } from '../../lib/metrics/metrics.ts'
import { createScrapeToken } from '../../lib/metrics/sampling/scrape-token.ts'
import { requireRights } from './widget-routes.ts'

const POLICY = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: ['admin:Prometheus'], Resource: ['arn:aws:s3:::*'] }],
}

/** Documents of metrics, and the jobs that read them. */
const JOBS = { cluster: 'minio-job', node: 'minio-job-node', bucket: 'minio-job-bucket' }

export function connectPrometheusRoutes(app: FastifyInstance, metrics: Pick<Metrics, 'readableDocuments'>): void {
  serve(app, widgetCalls.connectPrometheus, async (_input, context) => {
    await requireRights(app, context, widgetCalls.connectPrometheus.endpoint.actions)
    const key = await context.madmin.addServiceAccount({
      policy: POLICY,
      name: 'stowage-prometheus',
      description: 'Lets a Prometheus read the metrics',
    })
    // A job for a document that the server does not have would be reported as down.
    const documents = await metrics.readableDocuments(Object.keys(JOBS), key)
    // Other clients of MinIO also make tokens this long. Deleting the service account revokes it.
    const token = await createScrapeToken(key, '100y')
    return {
      access_key: key.accessKey,
      scrape_config: scrapeConfig(app.publicStoreUrl, token, documents),
      alert_rules: ALERT_RULES,
    }
  })
}

/**
 * @param server address of the storage server as Prometheus reaches it
 * @param documents those that the token reads
 */
export function scrapeConfig(server: URL, token: string, documents: readonly string[]): string {
  const job = (name: string, path: string) => [
    `  - job_name: ${name}`,
    `    bearer_token: ${token}`,
    `    metrics_path: /minio/v2/metrics/${path}`,
    `    scheme: ${server.protocol.replace(':', '')}`,
    '    static_configs:',
    `      - targets: ['${server.host}']`,
  ]
  const jobs = Object.entries(JOBS).filter(([path]) => documents.includes(path))
  return ['scrape_configs:', ...jobs.flatMap(([path, name]) => job(name, path)), ''].join('\n')
}

/** Uses the metric name of servers since 2025, then that of servers of 2021. */
const ALERT_RULES = `groups:
  - name: storage
    rules:
      - alert: StorageServerOffline
        expr: minio_cluster_nodes_offline_total > 0
        for: 5m
        labels: { severity: critical }
        annotations:
          summary: '{{ $value }} storage servers are offline'
      - alert: StorageDriveOffline
        expr: minio_cluster_drive_offline_total > 0 or minio_cluster_disk_offline_total > 0
        for: 5m
        labels: { severity: critical }
        annotations:
          summary: '{{ $value }} drives are offline'
      - alert: StorageAlmostFull
        expr: minio_cluster_capacity_usable_free_bytes / minio_cluster_capacity_usable_total_bytes < 0.1
        for: 15m
        labels: { severity: warning }
        annotations:
          summary: 'Less than 10% of the usable capacity is free'
      - alert: StorageRequestsFail
        expr: sum(rate(minio_s3_requests_5xx_errors_total[5m])) > 0.1
        for: 10m
        labels: { severity: warning }
        annotations:
          summary: 'Requests fail with errors of the storage server'
`
