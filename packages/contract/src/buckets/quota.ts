import { z } from 'zod'
import { routes } from '../call/route.ts'
import { bucketParams } from './bucket-params.ts'
import { bucketEndpoints } from './endpoints.ts'

export const Quota = z.object({
  /** Bytes. */
  quota: z.number().int().nonnegative(),
  /** `fifo` is supported by servers of 2021 only; later ones reject it. */
  type: z.enum(['hard', 'fifo']),
})
export type Quota = z.infer<typeof Quota>

export const quotaCalls = routes(bucketEndpoints, {
  getBucketQuota: {
    summary: 'The quota of a bucket',
    params: bucketParams,
    // An empty object if there is no quota.
    response: Quota.partial(),
  },
  setBucketQuota: {
    summary: 'Set or remove the quota of a bucket',
    params: bucketParams,
    body: z.object({
      enabled: z.boolean(),
      quota_type: z.enum(['hard', 'fifo']).default('hard'),
      /** Bytes; ignored if `enabled` is false. */
      amount: z.number().int().nonnegative().default(0),
      /** The quota that the change is based on. If the current quota differs, the response is 409. */
      before: Quota.partial().optional(),
    }),
  },
})
