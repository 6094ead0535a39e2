import { z } from 'zod'
import { routes } from '../route.ts'
import { bucketEndpoints } from './endpoints.ts'
import { bucketName, bucketParams } from './params.ts'

/**
 * A setting that can be copied from another bucket. `versioning` includes the excluded prefixes. In a `policy` the ARNs of the
 * other bucket are replaced by those of this one. Replication is not among them: its targets belong to one bucket each.
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

/** Settings that a new bucket takes from another one; with `retention` also object locking. */
export const CopiedSettings = z.object({
  from: bucketName,
  settings: z.array(CopiedSetting).max(CopiedSetting.options.length),
})

export const bucketCopyCalls = routes(bucketEndpoints, {
  copyBucketSetting: {
    summary: 'Replace a setting by that of another bucket; a setting that the other bucket does not have is removed',
    params: bucketParams,
    body: z.object({ from: bucketName, setting: CopiedSetting }),
  },
})
