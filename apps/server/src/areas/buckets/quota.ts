import { type Quota, quotaCalls } from '@stowage/contract/buckets/quota'
import type { Madmin } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../lib/http/serve.ts'
import { requireUnchangedSetting, settingQueue } from '../../lib/storage/setting-conflicts.ts'

export function quotaRoutes(app: FastifyInstance): void {
  serve(app, quotaCalls.getBucketQuota, async ({ params }, { madmin }) => {
    return await readQuota(madmin, params.bucket)
  })

  serve(app, quotaCalls.setBucketQuota, async ({ params, body }, { madmin }) => {
    const size = body.enabled ? body.amount : 0
    await settingQueue.run(params.bucket, async () => {
      await requireUnchangedSetting(body.before, async () => await readQuota(madmin, params.bucket))
      await madmin.setBucketQuota(params.bucket, { size, type: body.quota_type })
    })
  })
}

/** Returns an empty object if there is no quota. */
async function readQuota(madmin: Madmin, bucket: string): Promise<Partial<Quota>> {
  const { size, type } = await madmin.getBucketQuota(bucket)
  return size > 0 ? { quota: size, type } : {}
}
