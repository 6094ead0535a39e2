import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { bucketParams } from './bucket-params.ts'
import { bucketEndpoints } from './endpoints.ts'

/** `put`: `s3:ObjectCreated:*`. `get`: `s3:ObjectAccessed:*`. `delete`: `s3:ObjectRemoved:*`. */
export const EventKind = z.enum(['put', 'get', 'delete'])
export type EventKind = z.infer<typeof EventKind>

const arn = z.string().min(1).max(1024)
/** The prefix or suffix of keys; empty for all. */
const filter = z.string().max(1024)
/** One of the three kinds, or another event name such as `s3:Replication:*`. */
const events = listSchema(z.string().max(200))

export const BucketEvent = z.object({ id: z.string(), arn: z.string(), events, prefix: z.string(), suffix: z.string() })
export type BucketEvent = z.infer<typeof BucketEvent>

export const bucketEventCalls = routes(bucketEndpoints, {
  listArns: {
    summary: 'The ARNs of the notification targets that buckets can send events to',
    response: z.object({ arns: listSchema(z.string()) }),
  },
  listBucketEvents: {
    summary: 'The event subscriptions of a bucket',
    params: bucketParams,
    response: z.object({ events: listSchema(BucketEvent), total: z.number() }),
  },
  createBucketEvent: {
    summary: 'Send events of a bucket to a notification target',
    params: bucketParams,
    body: z.object({
      configuration: z.object({
        arn,
        /** An empty list means all three. */
        events: listSchema(EventKind),
        prefix: filter.default(''),
        suffix: filter.default(''),
        id: z.string().max(255).optional(),
      }),
      /** Succeeds even if the same subscription exists. */
      ignoreExisting: z.boolean().default(false),
    }),
  },
  deleteBucketEvent: {
    summary: 'Delete one subscription, or all of a target if events, prefix and suffix are empty',
    params: bucketParams.extend({ arn }),
    body: z.object({ events, prefix: filter, suffix: filter }),
  },
})
