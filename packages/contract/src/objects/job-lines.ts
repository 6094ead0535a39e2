import { z } from 'zod'

/** Why a job stopped before its end: the body of an error answer, because the status of the answer was sent before. */
export const JobStop = z.object({
  /** The HTTP status that the call would have been answered with. */
  code: z.number(),
  message: z.string(),
  reason: z
    .object({ id: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])).optional() })
    .optional(),
  detailedMessage: z.string(),
  /** The error code of the storage server. */
  cause: z.string().optional(),
  requestId: z.string().optional(),
})
export type JobStop = z.infer<typeof JobStop>

/** Where a job is. */
export const jobPosition = {
  /** The `cursor` to continue from: everything before it is done. Absent until something is complete. */
  cursor: z.string().optional(),
  /** The last object that is done. */
  path: z.string().optional(),
}

/** Continues the job after this point: the `cursor` of one of its lines. */
export const jobCursor = z.string().max(12_000).optional()

/** For a deletion: when it started, RFC 3339, by the clock of the storage server; see `undeleteObjects`. */
export const deletionStart = z.string().optional()
