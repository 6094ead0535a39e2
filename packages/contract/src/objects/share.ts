import { z } from 'zod'
import { bucketParams } from '../buckets/bucket-params.ts'
import { listSchema, routes } from '../call/route.ts'
import { objectEndpoints } from './endpoints.ts'
import { keyFields, versionFields } from './key-fields.ts'

/** The maximum validity of a link (ms); S3 signatures allow no more. */
export const MAX_SHARE_MS = 7 * 24 * 3600 * 1000

const instant = z.iso.datetime({ offset: true })

/** A link that has been created, as the storage server stores it. Its URL is returned only once, on creation. */
export const ShareLink = z.object({
  access_key: z.string(),
  /** The key of the object; for an upload link the prefix of keys. */
  path: z.string(),
  version_id: z.string().optional(),
  /** RFC 3339. */
  expires: z.string().optional(),
  kind: z.enum(['download', 'upload']),
})
export type ShareLink = z.infer<typeof ShareLink>

export const shareCalls = routes(objectEndpoints, {
  shareObject: {
    summary: "A link to a version, signed with the session's credentials; it expires with the session at the latest",
    params: bucketParams,
    query: z.object({
      ...versionFields,
      /** A duration such as `604800000ms` or `24h`, 1 second to 7 days. Default: 7 days. */
      expires: z.string().optional(),
    }),
    // A URL. X-Amz-Date and X-Amz-Expires in it determine its actual expiry.
    response: z.string(),
  },
  listLinks: {
    summary:
      "The caller's links to an object or for uploads below a prefix, or without a prefix those of the whole bucket",
    params: bucketParams,
    query: z.object({ prefix: keyFields.prefix.optional(), encoding: keyFields.encoding }),
    response: z.object({ links: listSchema(ShareLink) }),
  },
  createLink: {
    summary: 'Create a link to a version that outlives the session and can be revoked',
    params: bucketParams,
    body: z.object({
      path: z.string().min(1),
      version_id: z.string().optional(),
      /** At most 7 days from now. */
      expires: instant,
    }),
    response: z.object({
      url: z.string(),
      /** The actual expiry, RFC 3339. */
      expires: z.string(),
      /**
       * Identifies the link for `deleteLink`. Absent if the link is signed with the session's credentials, because no policy
       * can contain this key alone.
       */
      access_key: z.string().optional(),
    }),
  },
  deleteLink: {
    summary: 'Revoke a link',
    params: bucketParams.extend({ accessKey: z.string().min(1) }),
  },
  createUploadLink: {
    summary: 'Create a form that lets anyone upload below a prefix until a given time',
    params: bucketParams,
    body: z.object({
      prefix: z.string().default(''),
      /** The maximum size of a file (bytes). */
      max_size: z
        .number()
        .int()
        .min(1)
        .max(5 * 1024 ** 3),
      expires: instant,
    }),
    response: z.object({
      /** The URL to post the form to, as multipart/form-data. */
      url: z.string(),
      /** The fields of the form. The file must follow them, as `file`. */
      fields: z.record(z.string(), z.string()),
      expires: z.string(),
      access_key: z.string(),
    }),
  },
})
