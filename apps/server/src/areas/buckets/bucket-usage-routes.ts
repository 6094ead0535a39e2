import { type Bucket, reason } from '@stowage/contract'
import { bucketGrowthCalls } from '@stowage/contract/admin/usage'
import { bucketUsageCalls } from '@stowage/contract/buckets/bucket-usage'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { type SessionContext, serve } from '../../lib/http/serve.ts'
import type { SizedBucket } from '../../lib/metrics/bucket-usage.ts'
import type { BucketMetrics } from '../../lib/metrics/metrics.ts'
import { usableFreeBytes } from '../admin/admin-info.ts'
import { readBucketAccess } from './bucket-access.ts'
import type { BucketReader } from './bucket-reader.ts'

export function bucketUsageRoutes(app: FastifyInstance, reader: BucketReader, metrics: BucketMetrics): void {
  serve(app, bucketUsageCalls.getBucketUsage, async ({ params, query }, context) => {
    const bucket = await findListedBucket(params.bucket, reader, context)
    return await metrics.bucketUsage(sizedBucket(bucket), query.days)
  })

  serve(app, bucketGrowthCalls.getUsage, async ({ query }, context) => {
    const [info, buckets] = await Promise.all([context.madmin.serverInfo(), reader.allWithoutAccess(context)])
    const usage = await metrics.allUsage(buckets.map(sizedBucket), query.days, usableFreeBytes(info))
    return {
      ...usage,
      buckets: usage.buckets.flatMap((growth, i) => {
        const bucket = buckets[i]
        return bucket ? [{ name: bucket.name, size: bucket.size, objects: bucket.objects, ...growth }] : []
      }),
    }
  })
}

const sizedBucket = ({ name, creation_date, details }: Bucket): SizedBucket => ({
  name,
  createdAt: Math.max(0, Date.parse(creation_date) / 1000 || 0),
  limit: details?.quota?.type === 'hard' ? details.quota.quota : 0,
})

/** A bucket in the lists of the caller, with its size. @throws HttpError 403; UpstreamError NoSuchBucket */
async function findListedBucket(name: string, reader: BucketReader, context: SessionContext): Promise<Bucket> {
  const bucket = (await reader.allWithoutAccess(context)).find((each) => each.name === name)
  if (bucket) return bucket
  await readBucketAccess(context.s3Stream, name)
  throw new HttpError(403, reason('access-denied'))
}
