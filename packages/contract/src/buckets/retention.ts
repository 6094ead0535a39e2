import { z } from 'zod'
import { routes } from '../call/route.ts'
import { bucketParams } from './bucket-params.ts'
import { bucketEndpoints } from './endpoints.ts'

/** The retention of new objects that are written without one. */
export const Retention = z.object({
  mode: z.enum(['governance', 'compliance']),
  unit: z.enum(['days', 'years']),
  validity: z.number().int().min(1),
})
export type Retention = z.infer<typeof Retention>

export const retentionCalls = routes(bucketEndpoints, {
  getObjectLocking: {
    summary: 'Whether object locking is enabled',
    params: bucketParams,
    response: z.object({ object_locking_enabled: z.boolean() }),
  },
  getBucketRetention: {
    summary: 'The default retention of a bucket',
    params: bucketParams,
    // An empty object if there is no retention.
    response: Retention.partial(),
  },
  setBucketRetention: {
    summary: 'Set the default retention of a bucket with object locking',
    params: bucketParams,
    body: Retention.extend({
      /** The retention that the change is based on. If the current retention differs, the response is 409. */
      before: Retention.partial().optional(),
    }),
  },
  deleteBucketRetention: {
    summary: 'Remove the default retention of a bucket; versions that are locked already stay locked',
    params: bucketParams,
    // As in `setBucketRetention`.
    body: z.object({ before: Retention.partial().optional() }),
  },
})
