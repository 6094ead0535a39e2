import { type DataUsage, MadminError } from '@stowage/madmin'
import type { Credentials } from '@stowage/sigv4'
import type { Upstream } from '../storage/upstream.ts'
import { type DailySize, type Forecast, forecastOf, type Growth, growthOf } from './growth.ts'
import type { History, Series } from './history.ts'
import { keyOf } from './rows.ts'
import { samplerClient } from './sampler-client.ts'
import { ScrapeRefused } from './scrape.ts'
import type { Sample } from './text-format.ts'

const DAY = 86_400
/** Values of an answer. */
const MAX_VALUES = 1000
/** Days of which every hour is kept. */
const HOURLY_DAYS = 90
/** Days of which growth and forecast need a value each. */
const DAILY_DAYS = 91

/** The metrics of a bucket; the sum of all has no label. */
const METRICS = { size: 'bucket_size', objects: 'bucket_objects', versions: 'bucket_versions' } as const

export interface UsageValue {
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
  growth: Growth
  /** Absent if there is no quota. */
  quota?: { limit: number; forecast: Forecast }
}

/** The usage of one bucket over time, and its growth. */
export type BucketUsageValues = BucketGrowth & { values: UsageValue[] }

/** The usage of all buckets over time, and the growth of each one. */
export interface AllUsage {
  values: UsageValue[]
  growth: Growth
  /** Absent if the free space is not known. */
  capacity?: { free: number; forecast: Forecast }
  /** In the order of the request. */
  buckets: BucketGrowth[]
}

/** @param history undefined if there is none */
export async function bucketUsageOf(
  history: History | undefined,
  bucket: SizedBucket,
  days: number,
): Promise<BucketUsageValues> {
  const now = Date.now() / 1000
  if (!history) return { values: [], ...growthWithQuota(bucket, [], now) }
  const { name, createdAt } = bucket
  const [values, daily] = await Promise.all([
    usageValues(history, name, days, createdAt, now),
    dailySizes(history, now, name),
  ])
  return { values, ...growthWithQuota(bucket, ownSizes(bucket, daily, history), now) }
}

/**
 * @param history undefined if there is none
 * @param free bytes that are free; undefined if the server does not tell
 */
export async function allUsageOf(
  history: History | undefined,
  buckets: readonly SizedBucket[],
  days: number,
  free: number | undefined,
): Promise<AllUsage> {
  const now = Date.now() / 1000
  const [values, daily] = history
    ? await Promise.all([usageValues(history, undefined, days, 0, now), dailySizes(history, now)])
    : [[], new Map<string, DailySize[]>()]
  const total = daily.get('') ?? []
  const used = total.at(-1)?.size ?? 0
  return {
    values,
    growth: growthOf({ values: total, createdAt: 0, now }),
    ...(free === undefined ? {} : { capacity: { free, forecast: forecastOf({ values: total, now }, used + free) } }),
    buckets: buckets.map((bucket) => growthWithQuota(bucket, history ? ownSizes(bucket, daily, history) : [], now)),
  }
}

/** Returns the sizes of a bucket by day, without those of an earlier bucket with its name. */
const ownSizes = (
  { name, createdAt }: SizedBucket,
  daily: ReadonlyMap<string, DailySize[]>,
  { latestAt }: Pick<History, 'latestAt'>,
) => valuesSince(daily.get(name) ?? [], createdAt, DAY, latestAt)

function growthWithQuota({ createdAt, limit }: SizedBucket, values: readonly DailySize[], now: number): BucketGrowth {
  return {
    growth: growthOf({ values, createdAt, now }),
    ...(limit > 0 ? { quota: { limit, forecast: forecastOf({ values, now }, limit) } } : {}),
  }
}

/** Returns the usage counted by the storage server, per bucket. @throws ScrapeRefused; network errors */
export async function readBucketUsage(
  upstream: Upstream,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<Sample[]> {
  try {
    return samplesOf(await samplerClient(upstream, credentials).dataUsage({ signal }))
  } catch (error) {
    if (error instanceof MadminError && (error.status === 401 || error.status === 403))
      throw new ScrapeRefused(`The usage of the buckets is refused: ${error.status}`)
    throw error
  }
}

/** None before the server's first count: its zeros are no figures. */
export function samplesOf({ lastUpdate, size, objects, versions, bucketUsage }: DataUsage): Sample[] {
  if (lastUpdate === undefined) return []
  const of = (usage: { size: number; objects: number; versions: number }, labels: Record<string, string>): Sample[] => [
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
export async function usageValues(
  history: History,
  bucket: string | undefined,
  days: number,
  since: number,
  now = Date.now() / 1000,
): Promise<UsageValue[]> {
  const from = Math.max(since, now - days * DAY)
  const step = days < HOURLY_DAYS ? 3600 : DAY
  const labels: Record<string, string> = bucket === undefined ? {} : { bucket }
  const read = async (metric: string) => {
    const key = keyOf(metric, labels)
    const { series, step: spacing } = await history.read(metric, 'last', { from, to: now, step }, key)
    return valuesSince(pointsOf(series[0]), since, spacing, history.latestAt)
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
export async function dailySizes(
  history: History,
  now = Date.now() / 1000,
  only?: string,
): Promise<Map<string, DailySize[]>> {
  const key = only === undefined ? undefined : keyOf(METRICS.size, { bucket: only })
  const range = { from: now - DAILY_DAYS * DAY, to: now, step: DAY }
  const { series } = await history.read(METRICS.size, 'last', range, key)
  return new Map(
    series.map((each) => [each.labels.bucket ?? '', pointsOf(each).map(({ time, value }) => ({ time, size: value }))]),
  )
}

function pointsOf({ times, values }: Pick<Series, 'times' | 'values'> = { times: [], values: [] }) {
  return times.map((time, i) => ({ time, value: values[i] ?? 0 }))
}

/** A value stands for the time before it, which must not reach back to an earlier bucket of the same name. */
export const valuesSince = <T extends { time: number }>(
  values: readonly T[],
  since: number,
  spacing: number,
  latestAt: number,
): T[] => values.filter(({ time }) => time >= since && (time - spacing >= since || time === latestAt))
