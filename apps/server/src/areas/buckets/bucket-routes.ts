import { bucketCalls } from '@stowage/contract/buckets/buckets'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../lib/http/serve.ts'
import type { BucketMetrics } from '../../lib/metrics/metrics.ts'
import { accessRuleRoutes, setBucketAccess } from './access-rules.ts'
import { summarizeAccess } from './bucket-access.ts'
import { bucketAuditRoutes } from './bucket-audit.ts'
import { bucketEventRoutes } from './bucket-events.ts'
import { bucketPolicyRoutes } from './bucket-policy.ts'
import { BucketReader } from './bucket-reader.ts'
import { bucketUsageRoutes } from './bucket-usage-routes.ts'
import { bucketCopyRoutes } from './copy-settings.ts'
import { bucketCorsRoutes } from './cors.ts'
import { createBucket } from './create-bucket.ts'
import { encryptionRoutes } from './encryption.ts'
import { lifecycleRoutes } from './lifecycle.ts'
import { quotaRoutes } from './quota.ts'
import { retentionRoutes } from './retention.ts'
import { bucketTagRoutes } from './tags.ts'
import { versioningRoutes } from './versioning.ts'

export function bucketRoutes(app: FastifyInstance, metrics: BucketMetrics): void {
  const reader = new BucketReader()

  serve(app, bucketCalls.listBuckets, async ({ query }, context) => {
    const buckets = await (query.without_access ? reader.allWithoutAccess(context) : reader.all(context))
    return { buckets, total: buckets.length }
  })

  serve(app, bucketCalls.createBucket, async ({ body }, context) => {
    await createBucket(body, context)
    reader.noteChange()
  })

  serve(app, bucketCalls.getBucket, async ({ params }, context) => await reader.one(params.bucket, context))

  serve(app, bucketCalls.deleteBucket, async ({ params }, { s3 }) => {
    await s3.deleteBucket({ Bucket: params.bucket })
    reader.noteChange()
  })

  serve(app, bucketCalls.setBucketAccess, async ({ params: { bucket }, body }, context) => {
    const policy = await setBucketAccess(bucket, body.access, body.before, context)
    return await reader.one(bucket, context, summarizeAccess(policy, bucket))
  })

  versioningRoutes(app)
  quotaRoutes(app)
  accessRuleRoutes(app)
  bucketAuditRoutes(app)
  retentionRoutes(app)
  encryptionRoutes(app)
  bucketTagRoutes(app)
  lifecycleRoutes(app)
  bucketEventRoutes(app)
  bucketCorsRoutes(app)
  bucketCopyRoutes(app, () => reader.noteChange())
  bucketPolicyRoutes(app)
  bucketUsageRoutes(app, reader, metrics)
}
