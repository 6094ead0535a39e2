import { z } from 'zod'
import { Forecast, Growth, UsageValue, usageDays } from '../buckets/usage.ts'
import { list, routes } from '../route.ts'
import { adminEndpoints } from './endpoints.ts'

const BucketGrowth = z.object({
  name: z.string(),
  /** Bytes, as the server counted them last. */
  size: z.number(),
  objects: z.number(),
  growth: Growth,
  /** Absent without a quota that the caller may read. */
  quota: z.object({ limit: z.number(), forecast: Forecast }).optional(),
})
export type BucketGrowth = z.infer<typeof BucketGrowth>

export const usageCalls = routes(adminEndpoints, {
  getUsage: {
    summary: 'What all buckets hold over time, when the usable capacity will be reached, and the growth of each bucket',
    query: z.object(usageDays),
    response: z.object({
      /** Whether a history is kept at all. */
      kept: z.boolean(),
      values: list(UsageValue),
      growth: Growth,
      /** Absent where the server does not tell its capacity. */
      capacity: z
        .object({
          /** Bytes that can still be stored. */
          free: z.number(),
          forecast: Forecast,
        })
        .optional(),
      /** Those that the caller may list, read or write. */
      buckets: list(BucketGrowth),
    }),
  },
})
