import { z } from 'zod'
import { list, routes } from '../route.ts'
import { bucketEndpoints } from './endpoints.ts'
import { bucketParams } from './params.ts'

/** What was stored at a moment. */
export const UsageValue = z.object({
  /** Seconds since 1970. */
  time: z.number(),
  /** Bytes. */
  size: z.number(),
  objects: z.number(),
  versions: z.number(),
})
export type UsageValue = z.infer<typeof UsageValue>

/** By how many bytes it grew; null where the history does not go back so far. */
export const Growth = z.object({
  days7: z.number().nullable(),
  days30: z.number().nullable(),
  days90: z.number().nullable(),
})
export type Growth = z.infer<typeof Growth>

/**
 * When a limit will be reached, by the Theil–Sen slope of the daily values of the last 30 days. `too-short`: of fewer than
 * 7 days there are values.
 */
export const Forecast = z.discriminatedUnion('state', [
  z.object({ state: z.literal('growing'), seconds: z.number() }),
  z.object({ state: z.literal('full') }),
  z.object({ state: z.literal('not-growing') }),
  z.object({ state: z.literal('too-short') }),
])
export type Forecast = z.infer<typeof Forecast>

/** How far back values are asked for. Five years are kept. */
export const usageDays = { days: z.coerce.number().int().min(1).max(1825).default(30) }

export const bucketUsageCalls = routes(bucketEndpoints, {
  getBucketUsage: {
    summary: 'Size, objects and versions of a bucket over time, its growth, and when it will reach its quota',
    params: bucketParams,
    query: z.object(usageDays),
    response: z.object({
      /** Whether a history is kept at all. */
      kept: z.boolean(),
      /** Since the bucket was created; what an earlier bucket of this name held is not among them. */
      values: list(UsageValue),
      growth: Growth,
      /** Absent without a quota that the caller may read. */
      quota: z.object({ limit: z.number(), forecast: Forecast }).optional(),
    }),
  },
})
