import { quotaCodec } from '../../../bucket-settings/quota-codec.ts'
import { readRequestBody } from '../../bodies/request-body.ts'
import type { StoreCall } from '../../call/call.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { queryParameter } from '../endpoint/payload.ts'

const MAX_BODY_BYTES = 1024 * 1024

export const adminQuotaEndpoints: AdminEndpoint[] = [
  {
    name: 'GetBucketQuota',
    method: 'GET',
    path: 'get-bucket-quota',
    query: ['bucket'],
    handle: (call) => call.json(wireQuota(call, queryParameter(call, 'bucket'))),
  },
  {
    name: 'SetBucketQuota',
    method: 'PUT',
    path: 'set-bucket-quota',
    query: ['bucket'],
    async handle(call) {
      const { name } = call.engine.getBucket(queryParameter(call, 'bucket'))
      const quota = quotaCodec.read((await readRequestBody(call, MAX_BODY_BYTES)).toString('utf8'))
      await call.engine.setBucketSettings(name, { quota: quota.size === 0 ? undefined : quota })
      call.empty(200)
    },
  },
]

interface WireQuota {
  quota: number
  size: number
  rate: number
  requests: number
  quotatype?: 'hard'
}

/** Returns the quota of a bucket; zeros if it has none. @throws S3Error NoSuchBucket */
export function wireQuota(call: StoreCall, bucket: string): WireQuota {
  const setting = call.engine.getBucketSetting(bucket, 'quota')
  if (!setting) return { quota: 0, size: 0, rate: 0, requests: 0 }
  const { size, rate, requests } = setting.value
  return { quota: size, size, rate, requests, quotatype: 'hard' }
}
