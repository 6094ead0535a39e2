import { z } from 'zod'
import { bucketParams } from '../buckets/bucket-params.ts'
import { routes } from '../call/route.ts'
import { withReason } from '../reasons/issue-reason.ts'
import { reason } from '../reasons/reason.ts'
import { watchEndpoints } from './endpoints.ts'

/** The kinds of events in the query, and the S3 events that they stand for. */
export const WATCH_EVENTS = {
  put: ['s3:ObjectCreated:*'],
  get: ['s3:ObjectAccessed:*'],
  delete: ['s3:ObjectRemoved:*'],
  replica: ['s3:Replication:*'],
  ilm: ['s3:ObjectRestore:*', 's3:ObjectTransition:*'],
  'bucket-creation': ['s3:BucketCreated:*'],
  'bucket-removal': ['s3:BucketRemoved:*'],
} as const
export type WatchEvent = keyof typeof WATCH_EVENTS

const words = Object.keys(WATCH_EVENTS) as WatchEvent[]

const events = z
  .string()
  .max(256)
  .default('put,get,delete')
  .transform((text, context) => {
    const wanted = text
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '')
    if (wanted.length === 0 || wanted.some((word) => !Object.hasOwn(WATCH_EVENTS, word))) {
      const values = words.join(', ')
      context.addIssue({
        code: 'custom',
        ...withReason(reason('not-one-of', { values }), `should be some of [${values}]`),
      })
      return z.NEVER
    }
    return words.filter((word) => wanted.includes(word))
  })
  .meta({ type: 'string', description: `A comma list of ${words.join(', ')}` })

export const WatchMessage = z.object({
  /** RFC 3339 with milliseconds. */
  Time: z.string(),
  /** Bytes; 0 for removals. */
  Size: z.number(),
  UserMetadata: z.record(z.string(), z.string()).nullable(),
  /** `{address of the storage server}/{bucket}/{key}`, not encoded. */
  Path: z.string(),
  Host: z.string(),
  Port: z.string(),
  UserAgent: z.string(),
  /** For example `s3:ObjectCreated:Put`. */
  Type: z.string(),
  /** Not in the specification: */
  bucket: z.string(),
  key: z.string(),
  versionId: z.string(),
  requestId: z.string(),
  /** The user who caused the event. */
  user: z.string(),
})
export type WatchMessage = z.infer<typeof WatchMessage>

const query = z.object({
  prefix: z.string().max(1024).default(''),
  suffix: z.string().max(1024).default(''),
  events,
})

export const watchCalls = routes(watchEndpoints, {
  watch: {
    summary: 'Live events of a bucket',
    params: bucketParams,
    query,
    response: WatchMessage,
  },
  watchAll: {
    summary: 'Live events of all buckets',
    query,
    response: WatchMessage,
  },
})
