import { z } from 'zod'
import { S3Error } from '../../errors.ts'
import type { Call } from '../call.ts'
import type { AdminEndpoint } from './endpoint.ts'
import { parameter, readJson } from './payload.ts'

const size = z
  .number()
  .int()
  .nonnegative()
  .nullish()
  .transform((value) => value ?? 0)

// `quota` is the older name of `size`; clients send one of them or both.
const Quota = z.object({ quota: size, size, rate: size, requests: size, quotatype: z.string().nullish() })
type Quota = z.infer<typeof Quota>

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
      const quota = await readJson(call, Quota)
      if (quota.quotatype && quota.quotatype !== 'hard') {
        throw new S3Error('XMinioAdminInvalidArgument', 'The only type of quota is hard.')
      }
      // The engine reads `size`.
      const stored = { ...quota, size: quota.size || quota.quota, quota: quota.quota || quota.size }
      const text = stored.size === 0 ? undefined : JSON.stringify({ ...stored, quotatype: 'hard' })
      await call.engine.setBucketSetting(name, 'quota', text)
      call.empty(200)
    },
  },
]

/** The quota of a bucket; zeros when it has none. @throws S3Error NoSuchBucket */
export function quotaOf(call: Call, bucket: string): Omit<Quota, 'quotatype'> & { quotatype?: string } {
  const setting = call.engine.getBucketSetting(bucket, 'quota')
  if (!setting) return { quota: 0, size: 0, rate: 0, requests: 0 }
  const { quotatype, ...quota } = Quota.parse(JSON.parse(setting.value))
  return { ...quota, ...(quotatype ? { quotatype } : {}) }
}
