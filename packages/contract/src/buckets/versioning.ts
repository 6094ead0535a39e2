import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { bucketParams } from './bucket-params.ts'
import { bucketEndpoints } from './endpoints.ts'

const excludedFields = <P extends z.ZodType, F extends z.ZodType>(prefixes: P, folders: F) => ({
  /** Objects with these prefixes are not versioned. `*` matches any text, `?` any character. */
  excluded_prefixes: prefixes,
  /** Keys that end with a slash are not versioned. */
  exclude_folders: folders,
})

const versioning = z.object({ is_versioned: z.boolean(), ...excludedFields(listSchema(z.string()), z.boolean()) })

export const versioningCalls = routes(bucketEndpoints, {
  getBucketVersioning: {
    summary: 'The versioning of a bucket',
    params: bucketParams,
    response: versioning,
  },
  setBucketVersioning: {
    summary: 'Enable or suspend versioning',
    params: bucketParams,
    body: z.object({
      versioning: z.boolean(),
      // Absent to leave them unchanged.
      ...excludedFields(z.array(z.string().trim().min(1).max(1024)).max(10).optional(), z.boolean().optional()),
      /** The versioning that the change is based on. If the current versioning differs, the response is 409. */
      before: versioning.optional(),
    }),
  },
})
