import { z } from 'zod'
import { route } from '../route.ts'
import { bucketEndpoints as endpoints } from './endpoints.ts'
import { bucketParams } from './params.ts'

export const Quota = z.object({
  /** Bytes. */
  quota: z.number().int().nonnegative(),
  /** `fifo` only on servers of 2021: later ones refuse it. */
  type: z.enum(['hard', 'fifo']),
})
export type Quota = z.infer<typeof Quota>

export const getBucketQuota = route(endpoints.getBucketQuota, {
  params: bucketParams,
  // No quota is the empty object.
  response: Quota.partial(),
})

export const setBucketQuota = route(endpoints.setBucketQuota, {
  params: bucketParams,
  body: z.object({
    enabled: z.boolean(),
    quota_type: z.enum(['hard', 'fifo']).default('hard'),
    /** Bytes; ignored when not enabled. */
    amount: z.number().int().nonnegative().default(0),
  }),
})
