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

  serve(app, bucketCalls.deleteBucket, async ({ params }, { control, signal }) => {
    const { commands, send } = await control()
    await send(new commands.DeleteBucketCommand({ Bucket: params.bucket }), { abortSignal: signal })
    reader.changed()
  })

  serve(app, bucketCalls.setBucketAccess, async ({ params: { bucket }, body }, context) => {
    const { commands, send } = await context.control()
    const options = { abortSignal: context.signal }
    if (body.access === 'PRIVATE') await send(new commands.DeleteBucketPolicyCommand({ Bucket: bucket }), options)
    else await send(new commands.PutBucketPolicyCommand({ Bucket: bucket, Policy: publicPolicy(bucket) }), options)
    return await reader.one(bucket, context, body.access)
  })

  versioningRoutes(app)
  quotaRoutes(app)
}
