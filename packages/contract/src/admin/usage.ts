import { z } from 'zod'
import { Forecast, Growth, UsageValue, usageDays } from '../buckets/usage.ts'
import { list, routes } from '../route.ts'
import { adminEndpoints } from './endpoints.ts'

const BucketGrowth = z.object({
  name: z.string(),
  /** Bytes, as of the server's last count. */
  size: z.number(),
  objects: z.number(),
  growth: Growth,
  /** Absent if there is no quota, or if the caller has no right to read it. */
  quota: z.object({ limit: z.number(), forecast: Forecast }).optional(),
})
export type BucketGrowth = z.infer<typeof BucketGrowth>

export const usageCalls = routes(adminEndpoints, {
  getUsage: {
    summary:
      'The usage of all buckets over time, when the usable capacity will be reached, and the growth of each bucket',
    query: z.object(usageDays),
    response: z.object({
      /** Whether a history is recorded. */
      kept: z.boolean(),
      values: list(UsageValue),
      growth: Growth,
      /** Absent if the server does not report its capacity. */
      capacity: z
        .object({
          /** Free bytes. */
          free: z.number(),
          forecast: Forecast,
        })
        .optional(),
      /** The buckets that the caller may list, read or write. */
      buckets: list(BucketGrowth),
    }),
  },
})
