import { z } from 'zod'
import { bucketParams } from '../buckets/bucket-params.ts'
import { booleanQuery, listSchema, routes } from '../call/route.ts'
import { objectEndpoints } from './endpoints.ts'
import { deletionStart, JobStop, jobCursor, jobPosition } from './job-lines.ts'
import { keyEncoding } from './key-fields.ts'

/** An entry of a listing. A name that ends with a slash and has no date is a folder (a common prefix). */
export const ObjectItem = z.object({
  /** The full key. */
  name: z.string(),
  /** Bytes. */
  size: z.number(),
  /** RFC 3339; `0001-01-01T00:00:00Z` for a folder. */
  last_modified: z.string(),
  etag: z.string().optional(),
  version_id: z.string().optional(),
  is_latest: z.boolean().optional(),
  is_delete_marker: z.boolean().optional(),
  content_type: z.string().optional(),
  user_metadata: z.record(z.string(), z.string()).optional(),
  user_tags: z.record(z.string(), z.string()).optional(),
  storage_class: z.string().optional(),
  /**
   * `ON` or `OFF`. Like the next three, returned only with versions, without a limit, and for the object whose key is the
   * prefix.
   */
  legal_hold_status: z.string().optional(),
  /** `GOVERNANCE` or `COMPLIANCE`. */
  retention_mode: z.string().optional(),
  /** RFC 3339. */
  retention_until_date: z.string().optional(),
  tags: z.record(z.string(), z.string()).optional(),
  /** In a listing of a past time: the object was deleted at that time. */
  delete_flag: z.boolean().optional(),
})
export type ObjectItem = z.infer<typeof ObjectItem>

/** The date in the API that means "none". */
export const NO_OBJECT_DATE = '0001-01-01T00:00:00Z'

const DeletionFailures = listSchema(
  z.object({ path: z.string(), versionID: z.string().optional(), code: z.string(), message: z.string() }),
)
const deletionSums = { deleted: z.number(), failed: z.number(), since: deletionStart }

/** A line of a running deletion. The last line is the report, or says that the deletion stopped. */
export const DeleteLine = z.union([
  z.object({
    done: z.literal(true),
    ...deletionSums,
    /** The first 100 failures. */
    errors: DeletionFailures,
  }),
  z.object({
    /** The storage server failed, or failed for 20 objects in a row. The deletion can continue from `cursor`. */
    stopped: JobStop,
    ...deletionSums,
    ...jobPosition,
    /** As in the report. */
    errors: DeletionFailures,
  }),
  z.object({
    ...deletionSums,
    ...jobPosition,
    /** Those of the first 100 failures that no earlier line contains. */
    errors: DeletionFailures.optional(),
  }),
])
export type DeleteLine = z.infer<typeof DeleteLine>

/** Query parameters for deleting more than the latest version. */
const versionsToDelete = {
  /** Deletes every version and delete marker, so that nothing can be restored. */
  all_versions: booleanQuery,
  /** Deletes every version but the latest. */
  non_current_versions: booleanQuery,
  /** Deletes versions that governance retention protects; needs s3:BypassGovernanceRetention. */
  bypass: booleanQuery,
}

export const objectCalls = routes(objectEndpoints, {
  listObjects: {
    summary: 'A page of a folder or, without a limit, the whole folder',
    params: bucketParams,
    query: z.object({
      prefix: z.string().default(''),
      encoding: keyEncoding,
      recursive: booleanQuery,
      with_versions: booleanQuery,
      with_metadata: booleanQuery,
      /** The maximum number of entries on a page, including folders. Without it, all entries are streamed. */
      limit: z.coerce.number().int().min(1).max(1000).optional(),
      /** The value of `next` from the previous page. */
      continuation: z.string().optional(),
      /** Lists keys after this one (ignored with `continuation`). */
      start_after: z.string().optional(),
    }),
    response: z.object({
      objects: listSchema(ObjectItem),
      total: z.number(),
      /** The value of `continuation` for the next page; absent on the last page. */
      next: z.string().optional(),
    }),
  },
  deleteObject: {
    summary: 'Delete one object, one version, or everything below a path',
    params: bucketParams,
    query: z.object({
      path: z.string().min(1),
      encoding: keyEncoding,
      version_id: z.string().optional(),
      /** For a path that ends with a slash: deletes everything below it. A prefix without a slash is never used. */
      recursive: booleanQuery,
      ...versionsToDelete,
      cursor: jobCursor,
    }),
    // Lines for a caller that accepts application/x-ndjson; an empty body or an error for others.
    response: DeleteLine,
  },
  deleteObjects: {
    summary: 'Delete a selection of objects and folders',
    params: bucketParams,
    query: z.object({ encoding: keyEncoding, ...versionsToDelete, cursor: jobCursor }),
    body: z
      .array(
        z.object({
          path: z.string().min(1),
          versionID: z.string().optional(),
          recursive: z.boolean().optional(),
        }),
      )
      .min(1)
      .max(100_000),
    response: DeleteLine,
  },
  emptyBucket: {
    summary: 'Delete everything in a bucket: all versions, delete markers and incomplete uploads',
    params: bucketParams,
    body: z.object({
      /** Deletes versions that governance retention protects; needs s3:BypassGovernanceRetention. */
      bypass: z.boolean().default(false),
      cursor: jobCursor,
    }),
    response: DeleteLine,
  },
})
