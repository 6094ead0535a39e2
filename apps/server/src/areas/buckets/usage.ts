import { type Bucket, reason } from '@stowage/contract'
import { usageCalls } from '@stowage/contract/admin/usage'
import { bucketUsageCalls } from '@stowage/contract/buckets/usage'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/http/errors.ts'
import { type SessionContext, serve } from '../../lib/http/serve.ts'
import { type DailySize, dailySizes, usageValues, valuesSince } from '../../lib/metrics/bucket-usage.ts'
import { forecastOf, growthOf } from '../../lib/metrics/growth.ts'
import type { History } from '../../lib/metrics/history.ts'
import type { Metrics } from '../../lib/metrics/metrics.ts'
import { usableFree } from '../admin/info.ts'
import { readAccess } from './access.ts'
import type { BucketReader } from './list.ts'

/** The history of bucket sizes. */
export type BucketMetrics = Pick<Metrics, 'keepsBuckets' | 'buckets'>

export function bucketUsageRoutes(app: FastifyInstance, reader: BucketReader, metrics: BucketMetrics): void {
  serve(app, bucketUsageCalls.getBucketUsage, async ({ params, query }, context) => {
    const [bucket, kept] = await Promise.all([seenBucket(params.bucket, reader, context), metrics.keepsBuckets()])
    const { name } = bucket
    const history = kept ? metrics.buckets : undefined
    if (!history) return { kept, values: [], ...growthAndQuota(bucket, []) }
    const now = Date.now() / 1000
    const [values, daily] = await Promise.all([
      usageValues(history, name, query.days, createdOf(bucket), now),
      dailySizes(history, now, name),
    ])
    return { kept, values, ...growthAndQuota(bucket, ownSizes(bucket, daily, history)) }
  })

  serve(app, usageCalls.getUsage, async ({ query }, context) => {
    const [info, buckets, kept] = await Promise.all([
      context.madmin.serverInfo(),
      reader.allWithoutAccess(context),
      metrics.keepsBuckets(),
    ])
    const history = kept ? metrics.buckets : undefined
    const [values, daily] = history
      ? await Promise.all([usageValues(history, undefined, query.days, 0), dailySizes(history)])
      : [[], new Map<string, DailySize[]>()]
    const total = daily.get('') ?? []
    const now = Date.now() / 1000
    const free = usableFree(info)
    const used = total.at(-1)?.size ?? 0
    return {
      kept,
      values,
      growth: growthOf({ values: total, createdAt: 0, now }),
      ...(free === undefined ? {} : { capacity: { free, forecast: forecastOf({ values: total, now }, used + free) } }),
      buckets: buckets.map((bucket) => {
        const { name, size, objects } = bucket
        return { name, size, objects, ...growthAndQuota(bucket, history ? ownSizes(bucket, daily, history) : []) }
      }),
    }
  })
}

const DAY = 86_400

/** Returns the sizes of a bucket by day, without those of an earlier bucket with its name. */
const ownSizes = (bucket: Bucket, daily: ReadonlyMap<string, DailySize[]>, { latestAt }: Pick<History, 'latestAt'>) =>
  valuesSince(daily.get(bucket.name) ?? [], createdOf(bucket), DAY, latestAt)

function growthAndQuota(bucket: Bucket, values: readonly DailySize[]) {
  const now = Date.now() / 1000
  const limit = bucket.details?.quota?.type === 'hard' ? bucket.details.quota.quota : 0
  return {
    growth: growthOf({ values, createdAt: createdOf(bucket), now }),
    ...(limit > 0 ? { quota: { limit, forecast: forecastOf({ values, now }, limit) } } : {}),
  }
}

/** Seconds since 1970; 0 where the server does not tell. */
const createdOf = ({ creation_date }: Bucket) => Math.max(0, Date.parse(creation_date) / 1000 || 0)

/** A bucket in the lists of the caller, with its size. @throws HttpError 403; UpstreamError NoSuchBucket */
async function seenBucket(name: string, reader: BucketReader, context: SessionContext): Promise<Bucket> {
  const bucket = (await reader.allWithoutAccess(context)).find((each) => each.name === name)
  if (bucket) return bucket
  await readAccess(context.s3Stream, name)
  throw new HttpError(403, reason('access-denied'))
}
