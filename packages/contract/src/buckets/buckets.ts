import { z } from 'zod'
import { booleanQuery, listSchema, routes } from '../call/route.ts'
import { bucketName, bucketParams } from './bucket-params.ts'
import { CopiedSettings } from './copy-settings.ts'
import { bucketEndpoints } from './endpoints.ts'
import { Quota } from './quota.ts'
import { Retention } from './retention.ts'

/** `PUBLIC`: the canned policy that lets everyone read and write. `PRIVATE`: no policy. `CUSTOM`: any other policy. */
export const BucketAccess = z.enum(['PRIVATE', 'PUBLIC', 'CUSTOM'])
export type BucketAccess = z.infer<typeof BucketAccess>

/** What the bucket policy allows anonymous callers, also if it depends on a condition. */
export const AnonymousAccess = z.object({
  list: z.boolean(),
  read: z.boolean(),
  write: z.boolean(),
  /** Set if each of these rights is for some objects only, such as those below a prefix, or depends on a condition. */
  partly: z.literal(true).optional(),
})

export const BucketDetails = z.object({
  versioning: z.boolean(),
  versioningSuspended: z.boolean(),
  locking: z.boolean(),
  replication: z.boolean(),
  /** Absent if there is no quota, or if the caller has no right to read it. */
  quota: Quota.optional(),
})

export const Bucket = z.object({
  name: z.string(),
  /** RFC 3339. */
  creation_date: z.string(),
  /** Bytes, as reported by the server. */
  size: z.number(),
  objects: z.number(),
  /** Absent if the caller has no right to read the bucket policy, or used `without_access`. */
  access: BucketAccess.optional(),
  /** Absent if `access` is absent. */
  anonymous: AnonymousAccess.optional(),
  /** What the caller's policies allow on the bucket's objects. */
  rw_access: z.object({ read: z.boolean(), write: z.boolean() }).optional(),
  details: BucketDetails.optional(),
})
export type Bucket = z.infer<typeof Bucket>

export const bucketCalls = routes(bucketEndpoints, {
  listBuckets: {
    summary: 'The buckets that the caller may list, read or write',
    query: z.object({
      /** Omits the access, which takes one more request to the storage server for each bucket. */
      without_access: booleanQuery,
    }),
    response: z.object({ buckets: listSchema(Bucket), total: z.number() }),
  },
  createBucket: {
    summary: 'Create a bucket, with versioning and quota',
    body: z.object({
      name: bucketName,
      versioning: z.boolean().default(false),
      locking: z.boolean().default(false),
      quota: z
        .object({
          enabled: z.boolean(),
          quota_type: z.enum(['hard', 'fifo']).default('hard'),
          /** Bytes. */
          amount: z.number().int().nonnegative(),
        })
        .optional(),
      /** The default retention of new objects. Enables object locking. */
      retention: Retention.optional(),
      copy: CopiedSettings.optional(),
    }),
  },
  getBucket: {
    summary: 'One bucket and its access',
    params: bucketParams,
    response: Bucket,
  },
  deleteBucket: {
    summary: 'Delete an empty bucket',
    params: bucketParams,
    // The original frontend also sends the name in the body.
    body: z.object({ name: z.string().optional() }).nullish(),
    repeats: { name: 'bucket' },
  },
  setBucketAccess: {
    summary: 'Make a bucket public or private; other statements of the policy are kept',
    params: bucketParams,
    /** `PUBLIC_READ`: everyone may list and read. Such a bucket is reported as `CUSTOM`. */
    body: z.object({
      access: z.enum(['PRIVATE', 'PUBLIC_READ', 'PUBLIC']),
      /** The access that the change is based on, as in `Bucket`. If the current access differs, the response is 409. */
      before: z.object({ access: BucketAccess, anonymous: AnonymousAccess }).optional(),
    }),
    response: Bucket,
  },
})
