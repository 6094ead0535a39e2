import { z } from 'zod'
import { bucketParams } from '../buckets/params.ts'
import { flag, list, route } from '../route.ts'
import { objectEndpoints as endpoints } from './endpoints.ts'

export const downloadObject = route(endpoints.downloadObject, {
  params: bucketParams,
  query: z.object({
    /** The whole key; with a slash at its end everything below it, as a zip. */
    prefix: z.string().min(1),
    version_id: z.string().optional(),
    /** Shown in the page instead of saved, for types that can't run script. */
    preview: flag,
  }),
})

export const downloadObjects = route(endpoints.downloadObjects, {
  params: bucketParams,
  // A form field, because a browser saves the answer of a form to disk; it holds a JSON array of keys.
  body: z.object({
    objects: z
      .string()
      .transform((text, ctx) => {
        try {
          return JSON.parse(text) as unknown
        } catch {
          ctx.issues.push({ code: 'custom', message: 'is not JSON', input: text })
          return z.NEVER
        }
      })
      .pipe(z.array(z.string().min(1)).min(1).max(100_000)),
    /** File name of the zip. */
    name: z.string().max(255).optional(),
  }),
})

export const uploadObjects = route(endpoints.uploadObjects, {
  params: bucketParams,
  query: z.object({
    /** Put before each file's name, as it is. */
    prefix: z.string().default(''),
  }),
})

const uploadParams = bucketParams.extend({ uploadId: z.string().min(1) })
/** The whole key of the object to be. */
const keyQuery = z.object({ prefix: z.string().min(1) })

/** What a header of HTTP can hold everywhere. */
export const HEADER_TEXT = /^[\x20-\x7e]*$/

export const createUpload = route(endpoints.createUpload, {
  params: bucketParams,
  query: keyQuery,
  body: z.object({
    content_type: z.string().regex(HEADER_TEXT, 'must be a content type').optional(),
  }),
  response: z.object({ upload_id: z.string() }),
})

export const UploadPart = z.object({
  /** 1 to 10,000. */
  part: z.number(),
  etag: z.string(),
  /** Bytes. */
  size: z.number(),
})
export type UploadPart = z.infer<typeof UploadPart>

export const listUploadParts = route(endpoints.listUploadParts, {
  params: uploadParams,
  query: keyQuery,
  response: z.object({ parts: list(UploadPart) }),
})

export const uploadPart = route(endpoints.uploadPart, {
  params: uploadParams.extend({ part: z.coerce.number().int().min(1).max(10_000) }),
  query: keyQuery,
  response: UploadPart,
})

export const completeUpload = route(endpoints.completeUpload, {
  params: uploadParams,
  query: keyQuery,
  body: z.object({
    parts: z
      .array(UploadPart.pick({ part: true, etag: true }))
      .min(1)
      .max(10_000),
  }),
  response: z.object({ etag: z.string(), version_id: z.string().optional() }),
})

export const abortUpload = route(endpoints.abortUpload, { params: uploadParams, query: keyQuery })
