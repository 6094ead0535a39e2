import { z } from 'zod'
import { bucketParams } from '../buckets/bucket-params.ts'
import { listSchema, routes } from '../call/route.ts'
import { withReason } from '../reasons/issue-reason.ts'
import { reason } from '../reasons/reason.ts'
import { objectEndpoints } from './endpoints.ts'
import { keyEncoding, keyFields, versionFields } from './key-fields.ts'
import { ObjectItem } from './objects.ts'
import { HEADER_TEXT } from './transfers.ts'

const versionQuery = z.object(versionFields)
const textMap = z.record(z.string(), z.string())

/** An instant, RFC 3339, with its zone. */
export const rfc3339 = z.iso.datetime({ offset: true })

/** All properties of one version of an object. */
export const ObjectDetails = z.object({
  name: z.string(),
  /** Bytes; 0 for a delete marker. */
  size: z.number(),
  last_modified: z.string(),
  etag: z.string(),
  /** Absent if the bucket has never had versioning. */
  version_id: z.string().optional(),
  is_delete_marker: z.boolean(),
  content_type: z.string(),
  /** The standard headers that are stored with the object, by lower-case name: `cache-control`, `content-encoding` … */
  headers: textMap,
  /** Without the prefix `x-amz-meta-`. */
  user_metadata: textMap,
  /** Absent if the caller has no right to read them. */
  tags: textMap.optional(),
  /** `ON` or `OFF`; absent if the caller has no right to read it. */
  legal_hold_status: z.string().optional(),
  /** `GOVERNANCE` or `COMPLIANCE`. */
  retention_mode: z.string().optional(),
  retention_until_date: z.string().optional(),
  storage_class: z.string(),
  replication_status: z.string().optional(),
  /** `AES256`, `aws:kms`, or `customer` for a key that only the client has. */
  encryption: z.string().optional(),
  encryption_key: z.string().optional(),
  /** In Base64, by algorithm: `crc32c`, `sha256` … */
  checksums: textMap,
  /** The number of parts of a multipart upload. */
  parts: z.number().optional(),
  /** As the server reports it: `ongoing-request="false", expiry-date="…"`. */
  restore: z.string().optional(),
  expiration: z.string().optional(),
})
export type ObjectDetails = z.infer<typeof ObjectDetails>

/** Standard headers that can be changed together with the user metadata. */
export const METADATA_HEADERS = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'expires',
] as const

/** The limits of S3 for the tags of an object. */
export const MAX_TAGS = 10
const tags = z
  .record(z.string().min(1).max(128), z.string().max(256))
  .refine(
    (map) => Object.keys(map).length <= MAX_TAGS,
    withReason(reason('too-many-tags'), 'should have at most 10 tags'),
  )

/** The maximum number of days for which a copy from a tier is kept. */
const MAX_RESTORE_DAYS = 36_500

/** The maximum size of a text that can be edited in the web app (bytes of UTF-8). */
export const MAX_TEXT_BYTES = 1024 * 1024

export const headerValue = z.string().max(2048).regex(HEADER_TEXT, 'must be printable ASCII')

/** Beyond ASCII it is stored as an encoded word. */
export const metadataText = z
  .string()
  .max(2048)
  .regex(/^\P{Cc}*$/u, 'must not contain control characters')

/** A name of user metadata, without `x-amz-meta-`. */
export const metadataName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/, 'must be the name of a header')

export const objectDetailCalls = routes(objectEndpoints, {
  rewindObjects: {
    summary: 'A folder as it was at a past time',
    params: bucketParams.extend({ date: rfc3339 }),
    query: z.object({
      prefix: z.string().default(''),
      encoding: keyEncoding,
      /** The maximum number of entries on a page. Without it, all entries are returned. */
      limit: z.coerce.number().int().min(1).max(1000).optional(),
      /** The value of `next` from the previous page. */
      continuation: z.string().optional(),
    }),
    response: z.object({
      objects: listSchema(ObjectItem),
      /** The value of `continuation` for the next page; absent on the last page. */
      next: z.string().optional(),
    }),
  },
  getObject: {
    summary: 'All properties of one version of an object',
    params: bucketParams,
    query: versionQuery,
    response: ObjectDetails,
  },
  setObjectTags: {
    summary: 'Replace the tags of a version',
    params: bucketParams,
    query: versionQuery,
    body: z.object({
      tags,
      /** The tags that the change is based on. If the stored ones differ, the response is 409. */
      before: textMap.optional(),
    }),
  },
  setObjectRetention: {
    summary: 'Protect a version until a date',
    params: bucketParams,
    query: versionQuery,
    body: z.object({
      mode: z.enum(['governance', 'compliance']),
      expires: rfc3339,
      /** Allows shortening governance retention; needs s3:BypassGovernanceRetention. */
      governance_bypass: z.boolean().optional(),
      /** The retention that the change is based on, empty for none. If the stored one differs, the response is 409. */
      before: z
        .object({ mode: z.enum(['governance', 'compliance']), expires: rfc3339 })
        .partial()
        .optional(),
    }),
  },
  deleteObjectRetention: {
    summary: 'Remove governance retention from a version',
    params: bucketParams,
    query: versionQuery,
  },
  setObjectLegalHold: {
    summary: 'Turn the legal hold of a version on or off',
    params: bucketParams,
    query: versionQuery,
    body: z.object({
      status: z.enum(['enabled', 'disabled']),
      /** The status that the change is based on. If the stored one differs, the response is 409. */
      before: z.enum(['enabled', 'disabled']).optional(),
    }),
  },
  setObjectMetadata: {
    summary: 'Replace the content type, the standard headers and the user metadata of an object',
    params: bucketParams,
    query: z.object(keyFields),
    body: z.object({
      content_type: headerValue.min(1),
      headers: z.partialRecord(z.enum(METADATA_HEADERS), headerValue).default({}),
      user_metadata: z.record(metadataName, metadataText).default({}),
      /** ETag that the object must still have. */
      etag: z.string().optional(),
      /** The values that the change is based on. If the stored ones differ, the response is 409. */
      before: z.object({ content_type: z.string(), headers: textMap, user_metadata: textMap }).partial().optional(),
    }),
  },
  setObjectText: {
    summary: 'Replace the content of an object by a text; its metadata and tags are kept',
    params: bucketParams,
    query: z.object(keyFields),
    body: z.object({
      text: z
        .string()
        .refine(
          (text) => new TextEncoder().encode(text).length <= MAX_TEXT_BYTES,
          withReason(reason('text-too-large'), 'should have at most 1 MiB'),
        ),
      /** The ETag that the object must still have. */
      etag: z.string().min(1),
    }),
    response: z.object({ etag: z.string(), version_id: z.string().optional() }),
  },
  restoreObject: {
    summary: 'Make an earlier version the latest one again',
    params: bucketParams,
    query: z.object({ ...keyFields, version_id: z.string().min(1) }),
  },
  restoreFromTier: {
    summary: 'Bring a version back from its tier for some days',
    params: bucketParams,
    query: versionQuery,
    body: z.object({ days: z.number().int().min(1).max(MAX_RESTORE_DAYS) }),
  },
})
