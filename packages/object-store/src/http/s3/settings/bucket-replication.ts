import { parseTargetArn, type ReplicationSetting } from '../../../bucket-settings/replication-codec.ts'
import { S3Error } from '../../../lib/errors.ts'
import { checkRemoteTarget } from '../../../replication/check-remote-target.ts'
import { bucketReplicationMetrics, bucketReplicationMetricsV2 } from '../../../replication/replication-metrics.ts'
import { resyncStatus, startResync } from '../../../replication/resync.ts'
import type { StoreCall } from '../../call/call.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { settingOperations } from './setting-calls.ts'

export const bucketReplication: S3Operation[] = [
  ...settingOperations({
    setting: 'replication',
    query: 'replication',
    get: { name: 'GetBucketReplication', absent: notConfigured },
    put: { name: 'PutBucketReplication', maxBytes: 2 * 1024 * 1024, check: requireRemoteTargets },
    // As on MinIO, whose clients treat another status as an error.
    delete: { name: 'DeleteBucketReplication', status: 200 },
  }),
  {
    name: 'GetBucketReplicationMetrics',
    method: 'GET',
    level: 'bucket',
    query: ['replication-metrics'],
    handle(call) {
      requireConfiguration(call)
      const { engine, replication } = call.store
      const isSecond = call.query.get('replication-metrics') === '2'
      call.json((isSecond ? bucketReplicationMetricsV2 : bucketReplicationMetrics)(engine, replication, call.bucket))
    },
  },
  {
    name: 'ValidateBucketReplicationCreds',
    method: 'GET',
    level: 'bucket',
    query: ['replication-check'],
    async handle(call) {
      requireConfiguration(call)
      for (const target of call.store.replication.targets.list(call.bucket)) {
        await checkRemoteTarget(target, { ...call.store, signal: call.store.closing, permissions: true })
      }
      call.empty(200)
    },
  },
  {
    name: 'ResetBucketReplicationStart',
    method: 'PUT',
    level: 'bucket',
    query: ['replication-reset'],
    async handle(call) {
      const { rules } = requireConfiguration(call)
      const arn = call.query.get('arn') ?? ''
      const target = call.store.replication.targets.find(call.bucket, arn)
      if (!target) throw new S3Error('XMinioAdminRemoteTargetNotFoundError', 'The remote target does not exist')
      if (!rules.some((rule) => rule.target === arn && rule.existingObjects)) {
        throw new S3Error('XMinioReplicationNoExistingObjects', 'No matching ExistingObjects rule enabled')
      }
      const resetId = call.query.get('reset-id') ?? ''
      const id = await startResync(call.store, target, resetId, olderThan(call))
      call.json({ target: [{ arn, resetid: id }] })
    },
  },
  {
    name: 'ResetBucketReplicationStatus',
    method: 'GET',
    level: 'bucket',
    query: ['replication-reset-status'],
    handle(call) {
      requireConfiguration(call)
      const arn = call.query.get('arn') ?? ''
      const targets = call.store.replication.targets.list(call.bucket).filter((one) => arn === '' || one.arn === arn)
      call.json({ target: targets.flatMap((target) => resyncStatus(call.store, target) ?? []) })
    },
  },
]

function notConfigured(): S3Error {
  return new S3Error('ReplicationConfigurationNotFoundError', 'The replication configuration was not found')
}

/** @throws S3Error ReplicationConfigurationNotFoundError */
function requireConfiguration(call: StoreCall): ReplicationSetting {
  const setting = call.engine.getBucketSetting(call.bucket, 'replication')
  if (!setting) throw notConfigured()
  return setting.value
}

/**
 * Checks that every rule names a remote target of the bucket. @throws S3Error XMinioAdminRemoteTargetNotFoundError,
 * XMinioAdminRemoteArnInvalid
 */
function requireRemoteTargets(call: StoreCall, { rules }: ReplicationSetting): void {
  for (const { target } of rules) {
    if (!parseTargetArn(target)) {
      throw new S3Error('XMinioAdminRemoteArnInvalid', 'The bucket remote ARN does not have correct format')
    }
    if (!call.store.replication.targets.find(call.bucket, target)) {
      throw new S3Error('XMinioAdminRemoteTargetNotFoundError', 'The remote target does not exist')
    }
  }
}

/** Reads `older-than`, a Go duration of hours, minutes and seconds, as ms. @throws S3Error InvalidArgument */
function olderThan(call: StoreCall): number {
  const text = call.query.get('older-than') ?? ''
  const match = /^(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/.exec(text)
  if (!match) throw new S3Error('InvalidArgument', 'The older-than parameter must be a duration such as 24h.')
  const [, hours = 0, minutes = 0, seconds = 0] = match
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
}
