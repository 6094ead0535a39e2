import { z } from 'zod'
import { bucketParams } from '../buckets/bucket-params.ts'
import { booleanQuery, listSchema, routes } from '../call/route.ts'
import { withReason } from '../reasons/issue-reason.ts'
import { reason } from '../reasons/reason.ts'
import { objectEndpoints } from './endpoints.ts'
import { keyEncoding, keyFields, versionFields } from './key-fields.ts'

const uploadParams = bucketParams.extend({ uploadId: z.string().min(1) })
/** The full key of the object to create. */
const keyQuery = z.object(keyFields)

/** Characters that are safe in an HTTP header. */
export const HEADER_TEXT = /^[\x20-\x7e]*$/

export const UploadPart = z.object({
  /** 1 to 10,000. */
  part: z.number(),
  etag: z.string(),
  /** Bytes. */
  size: z.number(),
})
export type UploadPart = z.infer<typeof UploadPart>

/** A multipart upload that was neither completed nor aborted. */
export const UnfinishedUpload = z.object({
  key: z.string(),
  upload_id: z.string(),
  /** RFC 3339. */
  initiated: z.string(),
  /** The number of uploaded parts. Like `size`, absent if the caller has no right to list them. */
  parts: z.number().optional(),
  /** The total size of these parts (bytes). */
  size: z.number().optional(),
})
export type UnfinishedUpload = z.infer<typeof UnfinishedUpload>

export const transferCalls = routes(objectEndpoints, {
  downloadObject: {
    summary: 'The content of an object, with Range; for a path that ends with a slash a zip file',
    params: bucketParams,
    query: z.object({
      // A prefix that ends with a slash returns everything below it, as a zip file.
      ...versionFields,
      /** Shows the content in the browser instead of saving it, for types that cannot run scripts. */
      preview: booleanQuery,
    }),
  },
  downloadObjects: {
    summary: 'A selection of objects and folders as one zip file, created while it is sent',
    params: bucketParams,
    // A form field, because a browser saves the response to a form to disk. It contains a JSON array of keys.
    body: z.object({
      objects: z
        .string()
        .transform((text, ctx) => {
          try {
            return JSON.parse(text) as unknown
          } catch {
            ctx.issues.push({ code: 'custom', ...withReason(reason('not-json'), 'is not JSON'), input: text })
            return z.NEVER
          }
        })
        .pipe(z.array(z.string().min(1)).min(1).max(100_000)),
      /** The file name of the zip. */
      name: z.string().max(255).optional(),
    }),
  },
  uploadObjects: {
    summary: 'Upload files as a form',
    params: bucketParams,
    query: z.object({
      /** Prepended to the name of each file, unchanged. */
      prefix: z.string().default(''),
      encoding: keyEncoding,
      /** Refuses with 412 to replace an object, on servers with conditional writes. */
      if_absent: booleanQuery,
    }),
  },
  listUploads: {
    summary: 'Unfinished multipart uploads, oldest first, with the size of their parts',
    params: bucketParams,
    query: z.object({
      prefix: z.string().default(''),
      encoding: keyEncoding,
      /** Lists only uploads that were started before this time, RFC 3339. */
      before: z.iso.datetime({ offset: true }).optional(),
      limit: z.coerce.number().int().min(1).max(1000).default(200),
    }),
    response: z.object({
      uploads: listSchema(UnfinishedUpload),
      /** The total number of uploads, not limited by `limit`. Counts up to 10,000. */
      total: z.number(),
    }),
  },
  createUpload: {
    summary: 'Start a multipart upload',
    params: bucketParams,
    query: keyQuery,
    body: z.object({
      content_type: z.string().regex(HEADER_TEXT, 'must be a content type').optional(),
    }),
    response: z.object({ upload_id: z.string() }),
  },
  listUploadParts: {
    summary: 'The uploaded parts of a multipart upload',
    params: uploadParams,
    query: keyQuery,
    response: z.object({ parts: listSchema(UploadPart) }),
  },
  uploadPart: {
    summary: 'Upload one part; the body is its content',
    params: uploadParams.extend({ part: z.coerce.number().int().min(1).max(10_000) }),
    query: keyQuery,
    response: UploadPart,
  },
  completeUpload: {
    summary: 'Complete a multipart upload',
    params: uploadParams,
    query: keyQuery,
    body: z.object({
      parts: z
        .array(UploadPart.pick({ part: true, etag: true }))
        .min(1)
        .max(10_000),
      /** Refuses with 412 to replace an object, on servers with conditional writes. The parts are kept. */
      if_absent: z.boolean().default(false),
    }),
    response: z.object({ etag: z.string(), version_id: z.string().optional() }),
  },
  abortUpload: {
    summary: 'Abort a multipart upload and delete its parts',
    params: uploadParams,
    query: keyQuery,
  },
})
