import { z } from 'zod'
import { bucketParams } from '../buckets/params.ts'
import { list, routes } from '../route.ts'
import { objectEndpoints } from './endpoints.ts'
import { keyFields, versionFields } from './key.ts'

/** A link can be used for this long at most, ms: the signatures of S3 allow no more. */
export const MAX_SHARE_MS = 7 * 24 * 3600 * 1000

const instant = z.iso.datetime({ offset: true })

/** A link that has been created, as the storage server stores it. Its URL is returned only once, on creation. */
export const Link = z.object({
  access_key: z.string(),
  /** The object's key; for uploads the prefix of the keys. */
  path: z.string(),
  version_id: z.string().optional(),
  /** RFC 3339. */
  expires: z.string().optional(),
  kind: z.enum(['download', 'upload']),
})
export type Link = z.infer<typeof Link>

export const shareCalls = routes(objectEndpoints, {
  shareObject: {
    summary: 'A link to a version, signed by the session; it ends with the session at the latest',
    params: bucketParams,
    query: z.object({
      ...versionFields,
      /** A duration such as `604800000ms` or `24h`, 1 second to 7 days. Default: 7 days. */
      expires: z.string().optional(),
    }),
    // X-Amz-Date and X-Amz-Expires in the URL are its true end.
    response: z.string(),
  },
  listLinks: {
    summary: 'The links of the caller: to an object, to upload below a prefix, or without a prefix all of the bucket',
    params: bucketParams,
    query: z.object({ prefix: keyFields.prefix.optional(), encoding: keyFields.encoding }),
    response: z.object({ links: list(Link) }),
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
      /** The true end, RFC 3339. */
      expires: z.string(),
      /** Names the link to `deleteLink`. Absent when the session itself has signed, because no policy can name this key alone. */
      access_key: z.string().optional(),
    }),
  },
  deleteLink: {
    summary: 'Revoke a link',
    params: bucketParams.extend({ accessKey: z.string().min(1) }),
  },
  createUploadLink: {
    summary: 'Create a form by which anybody can upload below a prefix until a date',
    params: bucketParams,
    body: z.object({
      prefix: z.string().default(''),
      /** Bytes that a file may have at most. */
      max_size: z
        .number()
        .int()
        .min(1)
        .max(5 * 1024 ** 3),
      expires: instant,
    }),
    response: z.object({
      /** Where the form is posted to, as multipart/form-data. */
      url: z.string(),
      /** Its fields; the file comes behind them, as `file`. */
      fields: z.record(z.string(), z.string()),
      expires: z.string(),
      access_key: z.string(),
    }),
  },
})
