import type { ServerInfo, ServerState, StorageInfo } from '@stowage/madmin'
import type { SigningCredentials } from '@stowage/sigv4'
import { TOOL_AGENT } from '../../audit/records/audit-record.ts'
import type { Upstream } from '../../storage/upstream.ts'
import { renameSamples } from '../series/aggregate.ts'
import { type MetricSample, parseTextFormat } from '../series/text-format.ts'
import { SAMPLED_METRICS } from '../series/widget-definitions.ts'
import { createScrapeToken } from './scrape-token.ts'

const WANTED: ReadonlySet<string> = new Set(
  [...SAMPLED_METRICS.values()].flatMap((sources) => sources.map(({ metric }) => metric)),
)
/** Maximum size of a document in bytes; with tens of thousands of series it has about ten million. */
const MAX_BYTES = 32 << 20
const SCRAPE_MS = 10_000

/** The storage server does not allow this identity to read its metrics. */
export class ScrapeRefused extends Error {
  override readonly name = 'ScrapeRefused'
}

/**
 * Returns the samples that the widgets need, under the metric names of 2025.
 * @throws ScrapeRefused; network errors
 */
export async function scrapeMetrics(
  upstream: Upstream,
  credentials: SigningCredentials,
  signal: AbortSignal,
): Promise<MetricSample[]> {
  const documents = await Promise.all(
    ['cluster', 'node'].map((name) => fetchDocument(upstream, name, credentials, signal)),
  )
  const instance = new URL(upstream.origin).host
  const samples = documents.flatMap((text) => parseTextFormat(text ?? '', (metric) => WANTED.has(metric)))
  return chooseSources(samples.map((sample) => ({ ...sample, labels: { ...sample.labels, instance } })))
}

/** Whether the server has a document of metrics, and lets this identity read it. @throws network errors */
export async function canReadDocument(
  upstream: Upstream,
  name: string,
  credentials: SigningCredentials,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    // Without buckets, their document is empty.
    return (await fetchDocument(upstream, name, credentials, signal)) !== undefined
  } catch (error) {
    if (error instanceof ScrapeRefused) return false
    throw error
  }
}

/** Takes each metric from the first source that has it. */
function chooseSources(samples: readonly MetricSample[]): MetricSample[] {
  const present = new Set(samples.map(({ metric }) => metric))
  return [...SAMPLED_METRICS].flatMap(([name, sources]) => {
    const source = sources.find(({ metric }) => present.has(metric))
    if (!source) return []
    return source.metric === name
      ? samples.filter(({ metric }) => metric === name)
      : renameSamples(samples, source, name)
  })
}

async function fetchDocument(
  upstream: Upstream,
  name: string,
  credentials: SigningCredentials,
  signal: AbortSignal,
): Promise<string | undefined> {
  const token = await createScrapeToken(credentials, '5m')
  const { statusCode, body } = await upstream.dispatcher.request({
    origin: upstream.origin,
    path: `/minio/v2/metrics/${name}`,
    method: 'GET',
    headers: {
      authorization: `Bearer ${token}`,
      'user-agent': TOOL_AGENT,
      ...(credentials.sessionToken ? { 'x-amz-security-token': credentials.sessionToken } : {}),
    },
    headersTimeout: SCRAPE_MS,
    bodyTimeout: SCRAPE_MS,
    signal,
  })
  const text = await limitedText(body)
  if (statusCode === 401 || statusCode === 403) throw new ScrapeRefused(`The metrics are refused: ${statusCode}`)
  // Other servers, and for `node` those of 2021, do not have this document.
  return statusCode === 200 ? text : undefined
}

async function limitedText(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    if (length > MAX_BYTES) throw new Error(`The metrics of the storage server are longer than ${MAX_BYTES} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** Returns values of the `info` and `storageinfo` calls, for servers without Prometheus metrics. */
export function infoSamples(info: ServerInfo, storage: StorageInfo): MetricSample[] {
  const count = (metric: string, value: number | undefined): MetricSample[] =>
    value === undefined ? [] : [{ metric, labels: {}, value }]
  const drives = info.servers.flatMap((server) => server.drives)
  const online = (items: readonly { state: string }[], word: string) =>
    items.filter(({ state }) => state === word).length
  const { usableCapacity, rawCapacity } = storage
  const available = storage.drives.reduce((sum, { availspace }) => sum + availspace, 0)
  const free = rawCapacity > 0 ? (usableCapacity * available) / rawCapacity : undefined
  return [
    ...count('minio_cluster_capacity_usable_total_bytes', rawCapacity > 0 ? usableCapacity : undefined),
    ...count('minio_cluster_capacity_usable_free_bytes', free),
    ...count('minio_cluster_usage_total_bytes', info.usage.size),
    ...count('minio_cluster_usage_object_total', info.objects.count),
    ...count('minio_cluster_bucket_total', info.buckets.count),
    ...count('minio_cluster_nodes_online_total', online(info.servers, 'online')),
    ...count('minio_cluster_nodes_offline_total', info.servers.length - online(info.servers, 'online')),
    ...count('minio_cluster_drive_online_total', online(drives, 'ok')),
    ...count('minio_cluster_drive_offline_total', drives.length - online(drives, 'ok')),
    ...info.servers.flatMap(serverSamples),
  ]
}

function serverSamples({ endpoint: server, drives }: ServerState): MetricSample[] {
  return drives
    .filter(({ state }) => state === 'ok')
    .map(({ path, endpoint, usedspace }) => ({
      metric: 'minio_node_drive_used_bytes',
      labels: { server, drive: path || endpoint },
      value: usedspace,
    }))
}
