import { z } from 'zod'
import { route } from '../route.ts'
import { bucketEndpoints as endpoints } from './endpoints.ts'
import { bucketParams } from './params.ts'

export const getBucketVersioning = route(endpoints.getBucketVersioning, {
  params: bucketParams,
  response: z.object({ is_versioned: z.boolean() }),
})

export const setBucketVersioning = route(endpoints.setBucketVersioning, {
  params: bucketParams,
  body: z.object({ versioning: z.boolean() }),
})
