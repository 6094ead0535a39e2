import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { bucketParams } from './bucket-params.ts'
import { bucketEndpoints } from './endpoints.ts'

/** The usage at a point in time. */
export const UsageValue = z.object({
  /** Seconds since 1970. */
  time: z.number(),
  /** Bytes. */
  size: z.number(),
  objects: z.number(),
  versions: z.number(),
})
export type UsageValue = z.infer<typeof UsageValue>

/** Growth in bytes; null if the history does not go back that far. */
export const UsageGrowth = z.object({
  days7: z.number().nullable(),
  days30: z.number().nullable(),
  days90: z.number().nullable(),
})
export type UsageGrowth = z.infer<typeof UsageGrowth>

/**
 * When a limit will be reached, from the Theil–Sen slope of the daily values of the last 30 days. `too-short`: there are
 * values for fewer than 7 days.
 */
export const UsageForecast = z.discriminatedUnion('state', [
  z.object({ state: z.literal('growing'), seconds: z.number() }),
  z.object({ state: z.literal('full') }),
  z.object({ state: z.literal('not-growing') }),
  z.object({ state: z.literal('too-short') }),
])
export type UsageForecast = z.infer<typeof UsageForecast>

/** The number of days to return. Five years are recorded. */
export const usageDaysQuery = { days: z.coerce.number().int().min(1).max(1825).default(30) }

export const bucketUsageCalls = routes(bucketEndpoints, {
  getBucketUsage: {
    summary: 'Size, objects and versions of a bucket over time, its growth, and when it will reach its quota',
    params: bucketParams,
    query: z.object(usageDaysQuery),
    response: z.object({
      /** Whether a history is recorded. */
      kept: z.boolean(),
      /** Values since the creation of the bucket, without those of an earlier bucket of the same name. */
      values: listSchema(UsageValue),
      growth: UsageGrowth,
      /** Absent if there is no quota, or if the caller has no right to read it. */
      quota: z.object({ limit: z.number(), forecast: UsageForecast }).optional(),
    }),
  },
})
