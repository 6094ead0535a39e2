import { z } from 'zod'
import { bucketName, bucketParams } from '../buckets/bucket-params.ts'
import { createOnly } from '../call/create-only.ts'
import { listSchema, routes } from '../call/route.ts'
import { withReason } from '../reasons/issue-reason.ts'
import { reason } from '../reasons/reason.ts'
import { replicationEndpoints } from './endpoints.ts'
import { MIN_BANDWIDTH } from './min-bandwidth.ts'

const required = z.string().min(1)

/** Bytes per second; 0 for no limit. The storage server rejects lower limits. */
const bandwidth = z
  .number()
  .int()
  .nonnegative()
  .default(0)
  .refine(
    (bytes) => bytes === 0 || bytes >= MIN_BANDWIDTH,
    withReason(reason('bandwidth-too-small'), 'must be 0 or at least 100,000,000 bytes per second'),
  )

const ReplicationRuleSchema = z.object({
  id: z.string(),
  /** `Enabled` or `Disabled`. */
  status: z.string(),
  priority: z.number(),
  prefix: z.string(),
  /** `key=value&key2=value2`, URL-encoded. */
  tags: z.string(),
  /** `arn:aws:s3:::name` */
  destination: z.object({ bucket: z.string() }),
  /** The ARN of the remote target. */
  target_arn: z.string(),
  storage_class: z.string(),
  delete_marker_replication: z.boolean(),
  deletes_replication: z.boolean(),
  metadata_replication: z.boolean(),
  existing_objects_replication: z.boolean(),
})
export type ReplicationRule = z.infer<typeof ReplicationRuleSchema>

const ReplicationTargetSchema = z.object({
  arn: z.string(),
  /** `host:port` */
  endpoint: z.string(),
  secure: z.boolean(),
  bucket: z.string(),
  access_key: z.string(),
  sync_mode: z.enum(['async', 'sync']),
  /** Bytes per second; 0 for no limit. */
  bandwidth: z.number(),
  /** Seconds. */
  health_check_period: z.number(),
  online: z.boolean(),
  /** RFC 3339; absent if it never was. */
  last_online: z.string().optional(),
  /** Seconds in total. */
  downtime: z.number(),
  /** Number and size of the waiting objects (bytes); absent if the storage server does not count them. */
  pending: z.object({ count: z.number(), size: z.number() }).optional(),
  /** When the oldest waiting change was made (RFC 3339). Absent if nothing waits, or if the server does not report it. */
  pending_since: z.string().optional(),
  /** The current transfer rate (bytes per second). */
  current_bandwidth: z.number().optional(),
  failed: z.object({ count: z.number(), size: z.number() }).optional(),
  completed: z.object({ count: z.number(), size: z.number() }).optional(),
})
export type ReplicationTarget = z.infer<typeof ReplicationTargetSchema>

const RemoteBucket = z.object({
  accessKey: z.string(),
  sourceBucket: z.string(),
  targetBucket: z.string(),
  targetURL: z.string(),
  remoteARN: z.string(),
  service: z.string(),
  syncMode: z.enum(['async', 'sync']),
  bandwidth: z.number(),
  /** Seconds. */
  healthCheckPeriod: z.number(),
})

const credentials = { accessKey: z.string().min(3), secretKey: z.string().min(8) }
const ruleParams = bucketParams.extend({ ruleId: required })

/** What a rule replicates. All are on by default. */
const replicates = {
  replicateDeleteMarkers: z.boolean().default(true),
  replicateDeletes: z.boolean().default(true),
  replicateMetadata: z.boolean().default(true),
}

export const replicationCalls = routes(replicationEndpoints, {
  listReplicationRules: {
    summary: 'The replication rules of a bucket',
    params: bucketParams,
    response: z.object({ rules: listSchema(ReplicationRuleSchema) }),
  },
  updateReplicationRule: {
    summary: 'Change a replication rule and the settings of its target; absent fields are not changed',
    params: ruleParams,
    body: z.object({
      ruleState: z.boolean().optional(),
      prefix: z.string().optional(),
      tags: z.string().optional(),
      replicateDeleteMarkers: z.boolean().optional(),
      replicateDeletes: z.boolean().optional(),
      replicateMetadata: z.boolean().optional(),
      replicateExistingObjects: z.boolean().optional(),
      priority: z.number().int().nonnegative().optional(),
      storageClass: z.string().optional(),
      syncMode: z.enum(['async', 'sync']).optional(),
      bandwidth: bandwidth.optional(),
      /** Seconds. */
      healthCheckPeriod: z.number().int().positive().optional(),
      /** The rule that the change is based on. If one of these values has changed, the response is 409. */
      before: ReplicationRuleSchema.partial().optional(),
    }),
  },
  deleteReplicationRule: {
    summary: 'Remove a replication rule; the last one of a target also removes the target',
    params: ruleParams,
  },
  deleteReplicationRules: {
    summary: 'Remove several replication rules',
    params: bucketParams,
    body: z.object({ rules: z.array(required).min(1).max(1000) }),
  },
  setReplication: {
    summary: 'Replicate buckets to buckets of another server',
    body: z.object({
      ...credentials,
      /** With a scheme; only host and port are used. */
      targetURL: required,
      region: z.string().default(''),
      syncMode: z.enum(['async', 'sync']).default('async'),
      /** Only for `async`. */
      bandwidth,
      /** Seconds. */
      healthCheckPeriod: z.number().int().positive().default(60),
      prefix: z.string().default(''),
      tags: z.string().default(''),
      ...replicates,
      bucketsRelation: z
        .array(z.object({ originBucket: bucketName, destinationBucket: required }))
        .min(1)
        .max(1000),
      // With `create_only`, a rule for the same objects to the same bucket is an error of that bucket.
      ...createOnly,
    }),
    response: z.object({
      /** In the order of the request. */
      replicationState: listSchema(
        z.object({
          originBucket: z.string(),
          targetBucket: z.string(),
          /** Absent if it succeeded. */
          errorString: z.string().optional(),
        }),
      ),
    }),
  },
  listExternalBuckets: {
    summary: 'The buckets of another server of the MinIO family',
    body: z.object({
      ...credentials,
      /** `host` or `host:port`, without a scheme. */
      targetURL: required,
      useTLS: z.boolean(),
      region: z.string().default(''),
    }),
    response: z.object({ buckets: listSchema(z.object({ name: z.string() })), total: z.number() }),
  },
  listReplicationTargets: {
    summary: 'The remote targets of a bucket, and their progress',
    params: bucketParams,
    response: z.object({ targets: listSchema(ReplicationTargetSchema) }),
  },
  listReplicationFailures: {
    summary: 'The first 1,000 versions that the targets of a bucket, or one of them, rejected',
    params: bucketParams,
    query: z.object({
      /** The target; MinIO lists the versions of all targets. */
      arn: z.string().min(1).optional(),
    }),
    response: z.object({
      failures: listSchema(
        z.object({ object: z.string(), version_id: z.string(), error: z.string(), attempts: z.number() }),
      ),
      truncated: z.boolean(),
    }),
  },
  resyncReplication: {
    summary: 'Send all objects to a target again',
    params: bucketParams,
    body: z.object({ arn: required }),
  },
  retryReplication: {
    summary: 'Retry the versions that a target rejected',
    params: bucketParams,
    body: z.object({ arn: required }),
    response: z.object({ retried: z.number() }),
  },
  listRemoteBuckets: {
    summary: 'The remote targets of all buckets',
    response: z.object({ buckets: listSchema(RemoteBucket), total: z.number() }),
  },
})
