import { z } from 'zod'
import { UsageForecast, UsageGrowth, UsageValue, usageDaysQuery } from '../buckets/bucket-usage.ts'
import { listSchema, routes } from '../call/route.ts'
import { adminEndpoints } from './endpoints.ts'

const BucketGrowth = z.object({
  name: z.string(),
  /** Bytes, as of the server's last count. */
  size: z.number(),
  objects: z.number(),
  growth: UsageGrowth,
  /** Absent if there is no quota, or if the caller has no right to read it. */
  quota: z.object({ limit: z.number(), forecast: UsageForecast }).optional(),
})
export type BucketGrowth = z.infer<typeof BucketGrowth>

export const bucketGrowthCalls = routes(adminEndpoints, {
  getUsage: {
    summary:
      'The usage of all buckets over time, when the usable capacity will be reached, and the growth of each bucket',
    query: z.object(usageDaysQuery),
    response: z.object({
      /** Whether a history is recorded. */
      kept: z.boolean(),
      values: listSchema(UsageValue),
      growth: UsageGrowth,
      /** Absent if the server does not report its capacity. */
      capacity: z
        .object({
          /** Free bytes. */
          free: z.number(),
          forecast: UsageForecast,
        })
        .optional(),
      /** The buckets that the caller may list, read or write. */
      buckets: listSchema(BucketGrowth),
    }),
  },
})
