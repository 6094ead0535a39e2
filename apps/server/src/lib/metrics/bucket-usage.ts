import { type DataUsage, MadminError } from '@stowage/madmin'
import type { SigningCredentials } from '@stowage/sigv4'
import type { Upstream } from '../storage/upstream.ts'
import { computeGrowth, type DailySize, forecastSize, type SizeForecast, type SizeGrowth } from './growth.ts'
import type { HistorySeries, MetricsHistory } from './history/history.ts'
import { seriesKey } from './history/history-rows.ts'
import { createSamplerClient } from './sampling/sampler-client.ts'
import { ScrapeRefused } from './sampling/scrape.ts'
import type { MetricSample } from './series/text-format.ts'

const DAY = 86_400
/** Values of an answer. */
const MAX_VALUES = 1000
/** Days of which every hour is kept. */
const HOURLY_DAYS = 90
/** Days of which growth and forecast need a value each. */
const DAILY_DAYS = 91

/** The metrics of a bucket; the sum of all has no label. */
const METRICS = { size: 'bucket_size', objects: 'bucket_objects', versions: 'bucket_versions' } as const

export interface UsagePoint {
  /** Seconds since 1970. */
  time: number
  /** Bytes. */
  size: number
  objects: number
  versions: number
}

/** A bucket as the server lists it. */
export interface SizedBucket {
  name: string
  /** Seconds since 1970; 0 if the server does not tell. */
  createdAt: number
  /** Hard quota in bytes; 0: none. */
  limit: number
}

interface BucketGrowth {
  growth: SizeGrowth
  /** Absent if there is no quota. */
  quota?: { limit: number; forecast: SizeForecast }
}

/** The usage of one bucket over time, and its growth. */
export type BucketUsageValues = BucketGrowth & { values: UsagePoint[] }

/** The usage of all buckets over time, and the growth of each one. */
export interface AllBucketsUsage {
  values: UsagePoint[]
  growth: SizeGrowth
  /** Absent if the free space is not known. */
  capacity?: { free: number; forecast: SizeForecast }
  /** In the order of the request. */
  buckets: BucketGrowth[]
}

/** @param history undefined if there is none */
export async function readBucketUsageValues(
  history: MetricsHistory | undefined,
  bucket: SizedBucket,
  days: number,
): Promise<BucketUsageValues> {
  const now = Date.now() / 1000
  if (!history) return { values: [], ...growthWithQuota(bucket, [], now) }
  const { name, createdAt } = bucket
  const [values, daily] = await Promise.all([
    readUsagePoints(history, name, days, createdAt, now),
    readDailySizes(history, now, name),
  ])
  return { values, ...growthWithQuota(bucket, sizesSinceCreation(bucket, daily, history), now) }
}

/**
 * @param history undefined if there is none
 * @param free bytes that are free; undefined if the server does not tell
 */
export async function readAllUsage(
  history: MetricsHistory | undefined,
  buckets: readonly SizedBucket[],
  days: number,
  free: number | undefined,
): Promise<AllBucketsUsage> {
  const now = Date.now() / 1000
  const [values, daily] = history
    ? await Promise.all([readUsagePoints(history, undefined, days, 0, now), readDailySizes(history, now)])
    : [[], new Map<string, DailySize[]>()]
  const total = daily.get('') ?? []
  const used = total.at(-1)?.size ?? 0
  return {
    values,
    growth: computeGrowth({ values: total, createdAt: 0, now }),
    ...(free === undefined ? {} : { capacity: { free, forecast: forecastSize({ values: total, now }, used + free) } }),
    buckets: buckets.map((bucket) =>
      growthWithQuota(bucket, history ? sizesSinceCreation(bucket, daily, history) : [], now),
    ),
  }
}

/** Returns the sizes of a bucket by day, without those of an earlier bucket with its name. */
const sizesSinceCreation = (
  { name, createdAt }: SizedBucket,
  daily: ReadonlyMap<string, DailySize[]>,
  { latestAt }: Pick<MetricsHistory, 'latestAt'>,
) => filterSince(daily.get(name) ?? [], createdAt, DAY, latestAt)

function growthWithQuota({ createdAt, limit }: SizedBucket, values: readonly DailySize[], now: number): BucketGrowth {
  return {
    growth: computeGrowth({ values, createdAt, now }),
    ...(limit > 0 ? { quota: { limit, forecast: forecastSize({ values, now }, limit) } } : {}),
  }
}

/** Returns the usage counted by the storage server, per bucket. @throws ScrapeRefused; network errors */
export async function sampleBucketUsage(
  upstream: Upstream,
  credentials: SigningCredentials,
  signal: AbortSignal,
): Promise<MetricSample[]> {
  try {
    return usageSamples(await createSamplerClient(upstream, credentials).dataUsage({ signal }))
  } catch (error) {
    if (error instanceof MadminError && (error.status === 401 || error.status === 403))
      throw new ScrapeRefused(`The usage of the buckets is refused: ${error.status}`)
    throw error
  }
}

/** None before the server's first count: its zeros are no figures. */
export function usageSamples({ lastUpdate, size, objects, versions, bucketUsage }: DataUsage): MetricSample[] {
  if (lastUpdate === undefined) return []
  const of = (
    usage: { size: number; objects: number; versions: number },
    labels: Record<string, string>,
  ): MetricSample[] => [
    { metric: METRICS.size, labels, value: usage.size },
    { metric: METRICS.objects, labels, value: usage.objects },
    { metric: METRICS.versions, labels, value: usage.versions },
  ]
  return [
    ...of({ size, objects, versions }, {}),
    ...Object.entries(bucketUsage).flatMap(([bucket, usage]) => of(usage, { bucket })),
  ]
}

/**
 * The usage of a bucket, or of all, over the last days.
 * @param since seconds since 1970, when the bucket was created: what is older was of another bucket with its name
 */
export async function readUsagePoints(
  history: MetricsHistory,
  bucket: string | undefined,
  days: number,
  since: number,
  now = Date.now() / 1000,
): Promise<UsagePoint[]> {
  const from = Math.max(since, now - days * DAY)
  const step = days < HOURLY_DAYS ? 3600 : DAY
  const labels: Record<string, string> = bucket === undefined ? {} : { bucket }
  const read = async (metric: string) => {
    const key = seriesKey(metric, labels)
    const { series, step: spacing } = await history.read(metric, 'last', { from, to: now, step }, key)
    return filterSince(seriesPoints(series[0]), since, spacing, history.latestAt)
  }
  const [size, objects, versions] = await Promise.all([
    read(METRICS.size),
    read(METRICS.objects),
    read(METRICS.versions),
  ])
  const at = (points: typeof objects) => new Map(points.map(({ time, value }) => [time, value]))
  const [objectsAt, versionsAt] = [at(objects), at(versions)]
  const apart = Math.ceil(size.length / MAX_VALUES)
  // Counted from the newest, which is always among them.
  const shown = size.filter((_, i) => (size.length - 1 - i) % apart === 0)
  return shown.map(({ time, value }) => ({
    time,
    size: value,
    objects: objectsAt.get(time) ?? 0,
    versions: versionsAt.get(time) ?? 0,
  }))
}

/** Returns the sizes of all buckets by day, over the last 91 days. @param only the bucket that is wanted */
export async function readDailySizes(
  history: MetricsHistory,
  now = Date.now() / 1000,
  only?: string,
): Promise<Map<string, DailySize[]>> {
  const key = only === undefined ? undefined : seriesKey(METRICS.size, { bucket: only })
  const range = { from: now - DAILY_DAYS * DAY, to: now, step: DAY }
  const { series } = await history.read(METRICS.size, 'last', range, key)
  return new Map(
    series.map((each) => [
      each.labels.bucket ?? '',
      seriesPoints(each).map(({ time, value }) => ({ time, size: value })),
    ]),
  )
}

function seriesPoints({ times, values }: Pick<HistorySeries, 'times' | 'values'> = { times: [], values: [] }) {
  return times.map((time, i) => ({ time, value: values[i] ?? 0 }))
}

/** A value stands for the time before it, which must not reach back to an earlier bucket of the same name. */
export const filterSince = <T extends { time: number }>(
  values: readonly T[],
  since: number,
  spacing: number,
  latestAt: number,
): T[] => values.filter(({ time }) => time >= since && (time - spacing >= since || time === latestAt))
