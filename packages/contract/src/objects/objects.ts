import { z } from 'zod'
import { bucketParams } from '../buckets/params.ts'
import { flag, list, routes } from '../route.ts'
import { objectEndpoints } from './endpoints.ts'

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
})
export type ObjectItem = z.infer<typeof ObjectItem>

/** The date that stands for "none" on the wire. */
export const NO_DATE = '0001-01-01T00:00:00Z'

/** One line of a running deletion; the last line is the report. */
export const DeleteLine = z.union([
  z.object({ deleted: z.number(), failed: z.number() }),
  z.object({
    done: z.literal(true),
    deleted: z.number(),
    failed: z.number(),
    /** The first 100 failures. */
    errors: list(
      z.object({ path: z.string(), versionID: z.string().optional(), code: z.string(), message: z.string() }),
    ),
  }),
])
export type DeleteLine = z.infer<typeof DeleteLine>

export const objectCalls = routes(objectEndpoints, {
  listObjects: {
    summary: 'A page of a folder, or with no limit the whole of it',
    params: bucketParams,
    query: z.object({
      prefix: z.string().default(''),
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
      version_id: z.string().optional(),
      /** With a path that ends with a slash: everything below it. Never a bare prefix. */
      recursive: flag,
    }),
    // Lines for a caller that accepts application/x-ndjson, an empty body or an error for others.
    response: DeleteLine,
  },
  deleteObjects: {
    summary: 'Delete a selection of objects and folders',
    params: bucketParams,
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
})
