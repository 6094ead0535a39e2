import { bucketCalls } from '@stowage/contract/buckets/buckets'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../lib/http/serve.ts'
import { publicPolicy } from './access.ts'
import { createBucket } from './create.ts'
import { BucketReader } from './list.ts'
import { quotaRoutes } from './quota.ts'
import { versioningRoutes } from './versioning.ts'

export function bucketRoutes(app: FastifyInstance): void {
  const reader = new BucketReader()

  serve(app, bucketCalls.listBuckets, async ({ query }, context) => {
    const buckets = await (query.without_access ? reader.allWithoutAccess(context) : reader.all(context))
    return { buckets, total: buckets.length }
  })

  serve(app, bucketCalls.createBucket, async ({ body }, context) => {
    await createBucket(body, context)
    reader.changed()
  })

  serve(app, bucketCalls.getBucket, async ({ params }, context) => await reader.one(params.bucket, context))

  serve(app, bucketCalls.deleteBucket, async ({ params }, { s3 }) => {
    await s3.deleteBucket({ Bucket: params.bucket })
    reader.changed()
  })

  serve(app, bucketCalls.setBucketAccess, async ({ params: { bucket }, body }, context) => {
    const { s3 } = context
    if (body.access === 'PRIVATE') await s3.deleteBucketPolicy({ Bucket: bucket })
    else await s3.putBucketPolicy({ Bucket: bucket, Policy: publicPolicy(bucket) })
    return await reader.one(bucket, context, body.access)
  })

  versioningRoutes(app)
  quotaRoutes(app)
}
