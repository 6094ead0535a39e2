import { z } from 'zod'
import { routes } from '../call/route.ts'
import { durationQuery } from '../values/duration.ts'
import { healthInfoEndpoints } from './endpoints.ts'

/** The storage server's report about the servers and their machines, without secrets. */
export const HealthReport = z
  .object({
    /** `3`, or `2` from servers of 2021. */
    version: z.string(),
    /** RFC 3339. */
    timestamp: z.string(),
    error: z.string().optional(),
    sys: z.record(z.string(), z.unknown()).optional(),
    minio: z.record(z.string(), z.unknown()).optional(),
  })
  .loose()
export type HealthReport = z.infer<typeof HealthReport>

export const healthInfoCalls = routes(healthInfoEndpoints, {
  healthInfo: {
    summary:
      'Create a report about the servers and their machines. One message at the end; the pages of this console also get progress.',
    query: z.object({
      /** The time limit of the report. */
      deadline: durationQuery,
      /** `strict` masks the names of hosts, addresses and folders; `none` keeps them. */
      anonymize: z.enum(['strict', 'none']).default('strict'),
    }),
    response: HealthReport,
  },
})
