import { z } from 'zod'
import { list, routes } from '../route.ts'
import { bucketEndpoints } from './endpoints.ts'
import { bucketParams } from './params.ts'

const excluded = <P extends z.ZodType, F extends z.ZodType>(prefixes: P, folders: F) => ({
  /** Objects below these keep no versions. `*` and `?` stand for any text and any character. */
  excluded_prefixes: prefixes,
  /** Keys that end with a slash keep no versions. */
  exclude_folders: folders,
})

export const versioningCalls = routes(bucketEndpoints, {
  getBucketVersioning: {
    summary: 'Whether a bucket keeps versions',
    params: bucketParams,
    response: z.object({ is_versioned: z.boolean(), ...excluded(list(z.string()), z.boolean()) }),
  },
  setBucketVersioning: {
    summary: 'Enable or suspend versioning',
    params: bucketParams,
    body: z.object({
      versioning: z.boolean(),
      // Absent: they stay as they are.
      ...excluded(z.array(z.string().trim().min(1).max(1024)).max(10).optional(), z.boolean().optional()),
    }),
  },
})
