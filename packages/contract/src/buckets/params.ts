import { z } from 'zod'

/** The bucket in a path. Any non-empty name passes here: the storage server decides what a bucket may be called. */
export const bucketParams = z.object({ bucket: z.string().min(1).max(255) })
