import { quotaCalls } from '@stowage/contract/buckets/quota'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../lib/http/serve.ts'

export function quotaRoutes(app: FastifyInstance): void {
  serve(app, quotaCalls.getBucketQuota, async ({ params }, { madmin }) => {
    const { size, type } = await madmin.getBucketQuota(params.bucket)
    return size > 0 ? { quota: size, type } : {}
  })

  serve(app, quotaCalls.setBucketQuota, async ({ params, body }, { madmin }) => {
    const size = body.enabled ? body.amount : 0
    await madmin.setBucketQuota(params.bucket, { size, type: body.quota_type })
  })
}
