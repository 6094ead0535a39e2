import { z } from 'zod'
import { routes } from '../call/route.ts'
import { bucketName, bucketParams } from './bucket-params.ts'
import { bucketEndpoints } from './endpoints.ts'

/**
 * A setting that can be copied from another bucket. `versioning` includes the excluded prefixes. In a `policy`, the ARNs of
 * the other bucket are replaced. Replication cannot be copied, because its targets belong to one bucket.
 */
export const CopiedSetting = z.enum([
  'versioning',
  'retention',
  'quota',
  'encryption',
  'tags',
  'cors',
  'lifecycle',
  'events',
  'policy',
])
export type CopiedSetting = z.infer<typeof CopiedSetting>

/** Settings that a new bucket copies from another one. `retention` includes object locking. */
export const CopiedSettings = z.object({
  from: bucketName,
  settings: z.array(CopiedSetting).max(CopiedSetting.options.length),
})

export const bucketCopyCalls = routes(bucketEndpoints, {
  copyBucketSetting: {
    summary: 'Copy a setting from another bucket; if it is not set there, it is removed',
    params: bucketParams,
    body: z.object({ from: bucketName, setting: CopiedSetting }),
  },
})
