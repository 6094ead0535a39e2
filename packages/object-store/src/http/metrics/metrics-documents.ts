import { availableParallelism, loadavg } from 'node:os'
import { setImmediate as afterOthers } from 'node:timers/promises'
import type { BucketUsageCounts, DriveState, Engine } from '../../engine/interface/types.ts'
import type { HealSequences } from '../../health/heal-sequences.ts'
import { STORE_VERSION } from '../../lib/version.ts'
import {
  type ApiCounts,
  type RequestCounters,
  type RequestCounts,
  TTFB_BOUNDS,
} from '../../requests/request-counters.ts'
import { totalUsage, wireSizeHistogram } from '../admin/server/usage-totals.ts'
import type { MetricsExposition } from './exposition.ts'
import {
  countOpenFiles,
  percent,
  readInodes,
  readNetworkInterfaces,
  readProcessorTimes,
  readProcNumbers,
} from './machine-values.ts'

/** Source of the values, and their output. */
export interface MetricsSource {
  readonly engine: Engine
  readonly counters: RequestCounters
  readonly healSequences: HealSequences
}

type WriteMetrics = (source: MetricsSource, out: MetricsExposition) => Promise<void>

/** The documents by the last part of their path. */
export const METRICS_DOCUMENTS: ReadonlyMap<string, WriteMetrics> = new Map<string, WriteMetrics>([
  ['cluster', writeClusterMetrics],
  ['node', writeNodeMetrics],
  ['bucket', writeBucketMetrics],
  ['resource', writeResourceMetrics],
])

/** Number of buckets written before other work gets a turn. */
const BUCKETS_PER_TURN = 100

async function writeClusterMetrics(source: MetricsSource, out: MetricsExposition): Promise<void> {
  const drives = source.engine.drives()
  writeCapacity(out, drives)
  await writeUsage(out, source.engine)
  writeServerCounts(out)
  const online = drives.filter(isOnline).length
  for (const kind of ['drive', 'disk'] as const) {
    out.add(`minio_cluster_${kind}_online_total`, online)
    out.add(`minio_cluster_${kind}_offline_total`, drives.length - online)
    out.add(`minio_cluster_${kind}_total`, drives.length)
  }
  writeHealth(out, drives)
  // In 2021 these were in this document.
  for (const drive of drives) {
    if (!isOnline(drive)) continue
    const labels = { disk: drive.path }
    out.add('minio_cluster_disk_free_inodes', (await readInodes(drive))?.free, labels)
    out.add('minio_node_disk_total_bytes', drive.total, labels)
    out.add('minio_node_disk_used_bytes', drive.used, labels)
    out.add('minio_node_disk_free_bytes', drive.free, labels)
  }
  writeHealMetrics(out, source)
  await writeProcessMetrics(out)
  const scrubbed = source.engine.scrubbedAt()
  if (scrubbed !== undefined) out.add('minio_usage_last_activity_nano_seconds', (Date.now() - scrubbed) * 1e6)
  writeRequestMetrics(out, source.counters)
}

async function writeNodeMetrics(source: MetricsSource, out: MetricsExposition): Promise<void> {
  writeServerCounts(out)
  const drives = source.engine.drives()
  const online = drives.filter(isOnline)
  out.add('minio_node_drive_total', drives.length)
  out.add('minio_node_drive_online_total', online.length)
  out.add('minio_node_drive_offline_total', drives.length - online.length)
  for (const drive of online) {
    const labels = { drive: drive.path }
    out.add('minio_node_drive_total_bytes', drive.total, labels)
    out.add('minio_node_drive_used_bytes', drive.used, labels)
    out.add('minio_node_drive_free_bytes', drive.free, labels)
    out.add('minio_node_drive_free_inodes', (await readInodes(drive))?.free, labels)
  }
  writeRequestMetrics(out, source.counters)
}

async function writeBucketMetrics({ engine, counters }: MetricsSource, out: MetricsExposition): Promise<void> {
  const inFlight = counters.inFlight()
  await forEachBucket(engine, (info, used) => {
    const { name } = info
    const labels = { bucket: name }
    out.add('minio_bucket_usage_total_bytes', used.size, labels)
    out.add('minio_bucket_usage_object_total', used.objects, labels)
    out.add('minio_bucket_usage_version_total', used.versions, labels)
    out.add('minio_bucket_usage_deletemarker_total', used.deleteMarkers, labels)
    const sizes = wireSizeHistogram(used.sizeHistogram)
    for (const range in sizes) out.add('minio_bucket_objects_size_distribution', sizes[range], { ...labels, range })
    for (const range in used.versionsHistogram)
      out.add('minio_bucket_objects_version_distribution', used.versionsHistogram[range], { ...labels, range })
    const quota = engine.getBucketSetting(name, 'quota')?.value.size
    if (quota) out.add('minio_bucket_quota_total_bytes', quota, labels)
    for (const [api, count] of inFlight.get(name) ?? [])
      out.add('minio_bucket_requests_inflight_total', count, { api, ...labels })
    const counts = counters.bucketCounts(info)
    if (!counts) return
    writeApiMetrics(out, 'minio_bucket', counts, labels)
    out.add('minio_bucket_traffic_received_bytes', counts.received, labels)
    out.add('minio_bucket_traffic_sent_bytes', counts.sent, labels)
  })
}

async function writeResourceMetrics({ engine }: MetricsSource, out: MetricsExposition): Promise<void> {
  for (const [name, share] of await readProcessorTimes()) out.add(`minio_node_cpu_avg_${name}`, share)
  const load = loadavg()
  for (const [i, minutes] of ([1, 5, 15] as const).entries()) {
    const value = load[i] ?? 0
    out.add(`minio_node_cpu_avg_load${minutes}`, value)
    out.add(`minio_node_cpu_avg_load${minutes}_perc`, percent(value, availableParallelism()))
  }
  await writeMemory(out)
  for (const { name, received, receiveErrors, sent, sendErrors } of await readNetworkInterfaces()) {
    const labels = { interface: name }
    out.add('minio_node_if_rx_bytes', received, labels)
    out.add('minio_node_if_rx_errors', receiveErrors, labels)
    out.add('minio_node_if_tx_bytes', sent, labels)
    out.add('minio_node_if_tx_errors', sendErrors, labels)
  }
  for (const drive of engine.drives()) {
    if (!isOnline(drive)) continue
    const labels = { drive: drive.path }
    out.add('minio_node_drive_total_bytes', drive.total, labels)
    out.add('minio_node_drive_used_bytes', drive.used, labels)
    const inodes = await readInodes(drive)
    if (!inodes) continue
    out.add('minio_node_drive_total_inodes', inodes.total, labels)
    out.add('minio_node_drive_used_inodes', inodes.total - inodes.free, labels)
  }
}

const isOnline = (drive: DriveState): boolean => drive.state !== 'offline'

/**
 * Drives on the same file system share its bytes, which are reported once. With more than one drive every byte is stored twice.
 */
function writeCapacity(out: MetricsExposition, drives: readonly DriveState[]): void {
  const systems = new Map(drives.filter(isOnline).map((drive) => [drive.device, drive]))
  const copies = drives.length > 1 ? 2 : 1
  for (const kind of ['total', 'free'] as const) {
    const bytes = [...systems.values()].reduce((sum, drive) => sum + drive[kind], 0)
    out.add(`minio_cluster_capacity_raw_${kind}_bytes`, bytes)
    out.add(`minio_cluster_capacity_usable_${kind}_bytes`, Math.floor(bytes / copies))
  }
}

async function writeUsage(out: MetricsExposition, engine: Engine): Promise<void> {
  const all: BucketUsageCounts[] = []
  await forEachBucket(engine, (_, used) => all.push(used))
  const total = totalUsage(all)
  out.add('minio_cluster_usage_total_bytes', total.size)
  out.add('minio_cluster_usage_object_total', total.objects)
  out.add('minio_cluster_usage_version_total', total.versions)
  out.add('minio_cluster_usage_deletemarker_total', total.deleteMarkers)
  out.add('minio_cluster_bucket_total', all.length)
  const sizes = sumHistograms(all.map((used) => wireSizeHistogram(used.sizeHistogram)))
  for (const [range, count] of sizes) out.add('minio_cluster_objects_size_distribution', count, { range })
  const versions = sumHistograms(all.map((used) => used.versionsHistogram))
  for (const [range, count] of versions) out.add('minio_cluster_objects_version_distribution', count, { range })
}

function sumHistograms(histograms: readonly Readonly<Record<string, number>>[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const histogram of histograms)
    for (const range in histogram) sums.set(range, (sums.get(range) ?? 0) + (histogram[range] ?? 0))
  return sums
}

/** Calls back for each bucket, except those deleted meanwhile. */
async function forEachBucket(
  engine: Engine,
  tell: (info: { name: string; createdAt: number }, usage: BucketUsageCounts) => void,
): Promise<void> {
  for (const [n, info] of engine.listBuckets().entries()) {
    if (n > 0 && n % BUCKETS_PER_TURN === 0) await afterOthers()
    const used = findUsage(engine, info.name)
    if (used) tell(info, used)
  }
}

function findUsage(engine: Engine, name: string): BucketUsageCounts | undefined {
  try {
    return engine.bucketUsage(name)
  } catch {
    return undefined
  }
}

function writeServerCounts(out: MetricsExposition): void {
  out.add('minio_cluster_nodes_online_total', 1)
  out.add('minio_cluster_nodes_offline_total', 0)
}

function writeHealth(out: MetricsExposition, drives: readonly DriveState[]): void {
  const online = drives.filter(isOnline).length
  const needed = drives.length > 1 ? 2 : 1
  const healthy = online >= needed ? 1 : 0
  out.add('minio_cluster_health_status', healthy)
  out.add('minio_cluster_write_quorum', needed)
  const set = { pool: '0', set: '0' }
  out.add('minio_cluster_health_erasure_set_status', healthy, set)
  out.add('minio_cluster_health_erasure_set_online_drives', online, set)
  const healing = drives.filter((drive) => drive.state === 'healing').length
  out.add('minio_cluster_health_erasure_set_healing_drives', healing, set)
  out.add('minio_cluster_health_erasure_set_read_quorum', 1, set)
  out.add('minio_cluster_health_erasure_set_write_quorum', needed, set)
}

/** Adds metrics of heals. They are absent before the first heal, as on MinIO. */
function writeHealMetrics(out: MetricsExposition, { engine, healSequences: writeHealMetrics }: MetricsSource): void {
  const last = engine.lastHealAt()
  if (last !== undefined) out.add('minio_heal_time_last_activity_nano_seconds', (Date.now() - last) * 1e6)
  for (const type of ['bucket', 'object'] as const) {
    const { scanned, healed, failed } = writeHealMetrics.counts[type]
    if (scanned === 0) continue
    out.add('minio_heal_objects_total', scanned, { type })
    out.add('minio_heal_objects_heal_total', healed, { type })
    out.add('minio_heal_objects_errors_total', failed, { type })
  }
}

async function writeProcessMetrics(out: MetricsExposition): Promise<void> {
  const uptime = process.uptime()
  const { user, system } = process.cpuUsage()
  out.add('minio_node_process_uptime_seconds', uptime)
  out.add('minio_node_process_starttime_seconds', Math.round(Date.now() / 1000 - uptime))
  out.add('minio_node_process_cpu_total_seconds', (user + system) / 1e6)
  out.add('minio_node_process_resident_memory_bytes', process.memoryUsage.rss())
  const { open, limit } = await countOpenFiles()
  out.add('minio_node_file_descriptor_open_total', open)
  out.add('minio_node_file_descriptor_limit_total', limit)
  const io = await readProcNumbers('/proc/self/io')
  out.add('minio_node_syscall_read_total', io.get('syscr'))
  out.add('minio_node_syscall_write_total', io.get('syscw'))
  out.add('minio_node_io_rchar_bytes', io.get('rchar'))
  out.add('minio_node_io_wchar_bytes', io.get('wchar'))
  out.add('minio_node_io_read_bytes', io.get('read_bytes'))
  out.add('minio_node_io_write_bytes', io.get('write_bytes'))
  out.add('minio_software_version_info', 1, { version: STORE_VERSION })
}

async function writeMemory(out: MetricsExposition): Promise<void> {
  const kibibytes = await readProcNumbers('/proc/meminfo')
  const bytes = (name: string) => {
    const value = kibibytes.get(name)
    return value === undefined ? undefined : value * 1024
  }
  const [total, free, buffers, cache] = ['MemTotal', 'MemFree', 'Buffers', 'Cached'].map(bytes)
  out.add('minio_node_mem_total', total)
  out.add('minio_node_mem_free', free)
  out.add('minio_node_mem_available', bytes('MemAvailable'))
  out.add('minio_node_mem_shared', bytes('Shmem'))
  out.add('minio_node_mem_cache', cache)
  out.add('minio_node_mem_buffers', buffers)
  if (total === undefined || free === undefined) return
  const used = total - free - (buffers ?? 0) - (cache ?? 0)
  out.add('minio_node_mem_used', used)
  out.add('minio_node_mem_used_perc', percent(used, total))
}

function writeRequestMetrics(out: MetricsExposition, counters: RequestCounters): void {
  const inFlight = sumHistograms([...counters.inFlight().values()].map((counts) => Object.fromEntries(counts)))
  for (const [api, count] of inFlight) out.add('minio_s3_requests_inflight_total', count, { api })
  for (const kind of ['auth', 'header', 'timestamp', 'invalid'] as const)
    out.add(`minio_s3_requests_rejected_${kind}_total`, counters.rejected[kind])
  writeApiMetrics(out, 'minio_s3', counters.all, {})
  out.add('minio_s3_traffic_received_bytes', counters.all.received)
  out.add('minio_s3_traffic_sent_bytes', counters.all.sent)
}

function writeApiMetrics(
  out: MetricsExposition,
  prefix: 'minio_s3' | 'minio_bucket',
  counts: RequestCounts,
  labels: Record<string, string>,
) {
  for (const [api, entry] of counts.apis) {
    const own = { api, ...labels }
    out.add(`${prefix}_requests_total`, entry.total, own)
    if (prefix === 'minio_s3')
      out.add('minio_s3_requests_errors_total', orUndefined(entry.errors4xx + entry.errors5xx), own)
    out.add(`${prefix}_requests_4xx_errors_total`, orUndefined(entry.errors4xx), own)
    out.add(`${prefix}_requests_5xx_errors_total`, orUndefined(entry.errors5xx), own)
    out.add(`${prefix}_requests_canceled_total`, orUndefined(entry.canceled), own)
    writeFirstBytes(out, prefix, entry, own)
  }
}

/** Returns undefined for 0: a call that never failed has no series for failures, as on MinIO. */
const orUndefined = (count: number): number | undefined => (count > 0 ? count : undefined)

function writeFirstBytes(
  out: MetricsExposition,
  prefix: 'minio_s3' | 'minio_bucket',
  { firstByte }: ApiCounts,
  labels: Record<string, string>,
): void {
  let sum = 0
  for (const [i, [, le]] of TTFB_BOUNDS.entries()) {
    sum += firstByte[i] ?? 0
    out.add(`${prefix}_requests_ttfb_seconds_distribution`, sum, { ...labels, le })
    if (prefix === 'minio_s3') out.add('minio_s3_time_ttfb_seconds_distribution', sum, { ...labels, le })
  }
}
