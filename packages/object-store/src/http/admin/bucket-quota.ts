import { quotaCodec } from '../../bucket-settings/quota.ts'
import { readRaw } from '../body.ts'
import type { Call } from '../call.ts'
import type { AdminEndpoint } from './endpoint.ts'
import { parameter } from './payload.ts'

const MAX_BODY_BYTES = 1024 * 1024

export const quotaEndpoints: AdminEndpoint[] = [
  {
    name: 'GetBucketQuota',
    method: 'GET',
    path: 'get-bucket-quota',
    query: ['bucket'],
    actions: ['GetBucketQuota'],
    handle: (call) => call.json(quotaOf(call, parameter(call, 'bucket'))),
  },
  {
    name: 'SetBucketQuota',
    method: 'PUT',
    path: 'set-bucket-quota',
    query: ['bucket'],
    actions: ['SetBucketQuota'],
    async handle(call) {
      const { name } = call.engine.getBucket(parameter(call, 'bucket'))
      const quota = quotaCodec.read((await readRaw(call, MAX_BODY_BYTES)).toString('utf8'))
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
export function quotaOf(call: Call, bucket: string): WireQuota {
  const setting = call.engine.getBucketSetting(bucket, 'quota')
  if (!setting) return { quota: 0, size: 0, rate: 0, requests: 0 }
  const { size, rate, requests } = setting.value
  return { quota: size, size, rate, requests, quotatype: 'hard' }
}
