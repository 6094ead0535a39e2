import { z } from 'zod'
import { routes } from '../route.ts'
import { bucketEndpoints } from './endpoints.ts'
import { bucketParams } from './params.ts'

export const versioningCalls = routes(bucketEndpoints, {
  getBucketVersioning: {
    summary: 'Whether a bucket keeps versions',
    params: bucketParams,
    response: z.object({ is_versioned: z.boolean() }),
  },
  setBucketVersioning: {
    summary: 'Enable or suspend versioning',
    params: bucketParams,
    body: z.object({ versioning: z.boolean() }),
  },
})
