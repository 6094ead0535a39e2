import { z } from 'zod'
import { routes } from '../route.ts'
import { bucketEndpoints } from './endpoints.ts'
import { bucketParams } from './params.ts'

export const Quota = z.object({
  /** Bytes. */
  quota: z.number().int().nonnegative(),
  /** `fifo` only on servers of 2021: later ones refuse it. */
  type: z.enum(['hard', 'fifo']),
})
export type Quota = z.infer<typeof Quota>

export const quotaCalls = routes(bucketEndpoints, {
  getBucketQuota: {
    summary: 'The quota of a bucket',
    params: bucketParams,
    // No quota is the empty object.
    response: Quota.partial(),
  },
  setBucketQuota: {
    summary: 'Set or remove the quota of a bucket',
    params: bucketParams,
    body: z.object({
      enabled: z.boolean(),
      quota_type: z.enum(['hard', 'fifo']).default('hard'),
      /** Bytes; ignored when not enabled. */
      amount: z.number().int().nonnegative().default(0),
    }),
  },
})
