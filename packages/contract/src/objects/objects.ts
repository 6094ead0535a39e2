import { z } from 'zod'
import { bucketParams } from '../buckets/params.ts'
import { flag, list, routes } from '../route.ts'
import { objectEndpoints } from './endpoints.ts'
import { encoding } from './key.ts'

/** An object of a listing; a name that ends with a slash and has no date is a folder (a common prefix). */
export const ObjectItem = z.object({
  /** The whole key, from the bucket's root. */
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
  /** `ON` or `OFF`; like the three below only with versions, without a limit, and for the object that the prefix names. */
  legal_hold_status: z.string().optional(),
  /** `GOVERNANCE` or `COMPLIANCE`. */
  retention_mode: z.string().optional(),
  /** RFC 3339. */
  retention_until_date: z.string().optional(),
  tags: z.record(z.string(), z.string()).optional(),
  /** Only in a listing of the past: the object was deleted at that date. */
  delete_flag: z.boolean().optional(),
})
export type ObjectItem = z.infer<typeof ObjectItem>

/** The date that means "none" on the wire. */
export const NO_DATE = '0001-01-01T00:00:00Z'

/** One line of a running deletion; the last line is the report. */
export const DeleteLine = z.union([
  z.object({ deleted: z.number(), failed: z.number() }),
  z.object({
    done: z.literal(true),
    deleted: z.number(),
    failed: z.number(),
    /** When it began, RFC 3339, by the clock of the storage server: for `undeleteObjects`. */
    since: z.string().optional(),
    /** The first 100 failures. */
    errors: list(
      z.object({ path: z.string(), versionID: z.string().optional(), code: z.string(), message: z.string() }),
    ),
  }),
])
export type DeleteLine = z.infer<typeof DeleteLine>

/** Query parameters of a deletion that goes further than the latest version. */
const whichVersions = {
  /** Delete every version and delete marker, so that nothing can be restored. */
  all_versions: flag,
  /** Delete every version but the latest. */
  non_current_versions: flag,
  /** Delete versions that governance retention protects; needs s3:BypassGovernanceRetention. */
  bypass: flag,
}

export const objectCalls = routes(objectEndpoints, {
  listObjects: {
    summary: 'A page of a folder, or with no limit the whole of it',
    params: bucketParams,
    query: z.object({
      prefix: z.string().default(''),
      encoding,
      recursive: flag,
      with_versions: flag,
      with_metadata: flag,
      /** Entries of one page, folders counted too. Without it the answer is everything, streamed. */
      limit: z.coerce.number().int().min(1).max(1000).optional(),
      /** `next` of the page before. */
      continuation: z.string().optional(),
      /** Begin behind this key (ignored with `continuation`). */
      start_after: z.string().optional(),
    }),
    response: z.object({
      objects: list(ObjectItem),
      total: z.number(),
      /** Hand it back as `continuation`; absent on the last page. */
      next: z.string().optional(),
    }),
  },
  deleteObject: {
    summary: 'Delete one object, one version, or everything below a path',
    params: bucketParams,
    query: z.object({
      path: z.string().min(1),
      encoding,
      version_id: z.string().optional(),
      /** With a path that ends with a slash: everything below it. Never a bare prefix. */
      recursive: flag,
      ...whichVersions,
    }),
    // Lines for a caller that accepts application/x-ndjson, an empty body or an error for others.
    response: DeleteLine,
  },
  deleteObjects: {
    summary: 'Delete a selection of objects and folders',
    params: bucketParams,
    query: z.object({ encoding, ...whichVersions }),
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
      /** Delete versions that governance retention protects; needs s3:BypassGovernanceRetention. */
      bypass: z.boolean().default(false),
    }),
    response: DeleteLine,
  },
})
