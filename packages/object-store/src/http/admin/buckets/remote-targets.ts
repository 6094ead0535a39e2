import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { S3Error } from '../../../lib/errors.ts'
import { checkRemoteTarget } from '../../../replication/check-remote-target.ts'
import type { StoredRemoteTarget } from '../../../replication/remote-target-store.ts'
import type { StoreCall } from '../../call/call.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { queryParameter, readSealed, wireTime, ZERO_TIME } from '../endpoint/payload.ts'

const NS_PER_MS = 1_000_000
const NS_PER_S = 1_000_000_000
/** Minimum bandwidth limit in bytes per second, as on MinIO. */
const MIN_BANDWIDTH = 100_000_000
const DEFAULT_HEALTH_CHECK_S = 60

const WireRemoteTarget = z.object({
  endpoint: z.string().max(300).default(''),
  credentials: z
    .object({
      accessKey: z.string().default(''),
      secretKey: z.string().default(''),
      sessionToken: z.string().nullish(),
    })
    .nullish(),
  targetbucket: z.string().max(63).default(''),
  secure: z.boolean().default(false),
  path: z.string().max(10).default('auto'),
  arn: z.string().max(300).default(''),
  type: z.string().default(''),
  region: z.string().max(64).default(''),
  bandwidthlimit: z.number().int().nonnegative().default(0),
  replicationSync: z.boolean().default(false),
  storageclass: z.string().max(64).default(''),
  healthCheckDuration: z.number().nonnegative().default(0),
  disableProxy: z.boolean().default(false),
})
type WireRemoteTarget = z.infer<typeof WireRemoteTarget>

export const adminRemoteTargetEndpoints: AdminEndpoint[] = [
  {
    name: 'ListRemoteTargets',
    method: 'GET',
    path: 'list-remote-targets',
    query: ['bucket'],
    handle(call) {
      const bucket = queryParameter(call, 'bucket')
      const type = queryParameter(call, 'type')
      if (bucket !== '') call.engine.getBucket(bucket)
      const targets = call.store.replication.targets.list(bucket === '' ? undefined : bucket)
      call.json(type === '' || type === 'replication' ? targets.map((target) => wireTarget(call, target)) : [])
    },
  },
  {
    name: 'SetRemoteTarget',
    method: 'PUT',
    path: 'set-remote-target',
    query: ['bucket'],
    async handle(call) {
      const bucket = call.engine.getBucket(queryParameter(call, 'bucket'))
      const wire = await readSealed(call, WireRemoteTarget)
      const target =
        queryParameter(call, 'update') === 'true' ? changedTarget(call, wire) : newTarget(call, bucket, wire)
      if (typeof target === 'string') {
        call.json(target)
        return
      }
      if (bucket.versioning !== 'Enabled') {
        const text = 'The replication source does not have versioning enabled'
        throw new S3Error('ReplicationSourceNotVersionedError', text)
      }
      const deploymentId = await checkRemoteTarget(target, { ...call.store, signal: call.store.closing })
      await call.store.replication.targets.put({ ...target, deploymentId })
      await call.store.replication.applyTargets()
      call.json(target.arn)
    },
  },
  {
    name: 'RemoveRemoteTarget',
    method: 'DELETE',
    path: 'remove-remote-target',
    query: ['bucket', 'arn'],
    async handle(call) {
      const bucket = queryParameter(call, 'bucket')
      const setting = call.engine.getBucketSetting(bucket, 'replication')
      const target = requireRemoteTarget(call, bucket, queryParameter(call, 'arn'))
      if (setting?.value.rules.some((rule) => rule.target === target.arn)) {
        throw new S3Error('XMinioAdminRemoteRemoveDisallowed', 'This ARN is in use by an existing configuration')
      }
      await call.store.replication.targets.remove(target)
      await call.store.replication.applyTargets()
      await call.engine.clearReplicationBacklog(bucket, target.id)
      call.empty(204)
    },
  },
]

/** @throws S3Error XMinioAdminRemoteTargetNotFoundError */
export function requireRemoteTarget(call: StoreCall, bucket: string, arn: string): StoredRemoteTarget {
  const target = call.store.replication.targets.find(bucket, arn)
  if (!target) throw new S3Error('XMinioAdminRemoteTargetNotFoundError', 'The remote target does not exist')
  return target
}

/** Reads a new target. Returns only the ARN if the same target exists. @throws S3Error */
function newTarget(
  call: StoreCall,
  bucket: { name: string; createdAt: number },
  wire: WireRemoteTarget,
): StoredRemoteTarget | string {
  if (wire.type !== 'replication') {
    throw new S3Error('XMinioAdminRemoteARNTypeInvalid', 'The bucket remote ARN type is not valid')
  }
  const endpoint = readEndpoint(wire)
  const same = call.store.replication.targets
    .list(bucket.name)
    .find((one) => one.endpoint === endpoint && one.secure === wire.secure && one.targetBucket === wire.targetbucket)
  if (same) return same.arn
  const id = randomUUID()
  return {
    ...requestedOptions(wire),
    id,
    arn: `arn:minio:replication:${wire.region}:${id}:${wire.targetbucket}`,
    sourceBucket: bucket.name,
    bucketCreatedAt: bucket.createdAt,
    endpoint,
    secure: wire.secure,
    targetBucket: wire.targetbucket,
    region: wire.region,
    storageClass: wire.storageclass,
    deploymentId: '',
    resetId: '',
    resetBefore: 0,
    addedAt: Date.now(),
  }
}

function requestedOptions(wire: WireRemoteTarget) {
  return {
    accessKey: wire.credentials?.accessKey ?? '',
    secretKey: wire.credentials?.secretKey ?? '',
    sessionToken: wire.credentials?.sessionToken ?? '',
    path: wire.path,
    bandwidth: readBandwidth(wire),
    sync: wire.replicationSync,
    healthCheckSeconds: Math.round(wire.healthCheckDuration / NS_PER_S) || DEFAULT_HEALTH_CHECK_S,
    disableProxy: wire.disableProxy,
  }
}

/** Applies the changes listed in the query to a target, and keeps its other values. */
function changedTarget(call: StoreCall, wire: WireRemoteTarget): StoredRemoteTarget {
  const target = requireRemoteTarget(call, queryParameter(call, 'bucket'), wire.arn)
  const sent = requestedOptions(wire)
  const asked = (name: string) => queryParameter(call, name) === 'true'
  const { accessKey, secretKey, sessionToken } = sent
  return {
    ...target,
    ...(asked('creds') && { accessKey, secretKey, sessionToken }),
    ...(asked('sync') && { sync: sent.sync }),
    ...(asked('proxy') && { disableProxy: sent.disableProxy }),
    ...(asked('bandwidth') && { bandwidth: sent.bandwidth }),
    ...(asked('healthcheck') && { healthCheckSeconds: sent.healthCheckSeconds }),
    ...(asked('path') && { path: sent.path }),
  }
}

/** @throws S3Error XMinioAdminReplicationBandwidthLimitError */
function readBandwidth({ bandwidthlimit }: WireRemoteTarget): number {
  if (bandwidthlimit === 0 || bandwidthlimit >= MIN_BANDWIDTH) return bandwidthlimit
  const text = 'Bandwidth limit for remote target must be at least 100MBps'
  throw new S3Error('XMinioAdminReplicationBandwidthLimitError', text)
}

/** Parses `host:port`, which must not change the path or user of a URL. @throws S3Error XMinioAdminInvalidArgument */
function readEndpoint({ endpoint, secure }: WireRemoteTarget): string {
  const text = `${secure ? 'https' : 'http'}://${endpoint}`
  const url = /^[\w.:[\]-]+$/.test(endpoint) && URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.host === '') throw new S3Error('XMinioAdminInvalidArgument', 'The endpoint must be host:port.')
  return url.host
}

function wireTarget(call: StoreCall, target: StoredRemoteTarget): object {
  const state = call.store.replication.targetState(target)
  return {
    sourcebucket: target.sourceBucket,
    endpoint: target.endpoint,
    credentials: { accessKey: target.accessKey, expiration: ZERO_TIME },
    targetbucket: target.targetBucket,
    secure: target.secure,
    path: target.path,
    api: 's3v4',
    arn: target.arn,
    type: 'replication',
    ...(target.region !== '' && { region: target.region }),
    ...(target.bandwidth > 0 && { bandwidthlimit: target.bandwidth }),
    replicationSync: target.sync,
    ...(target.storageClass !== '' && { storageclass: target.storageClass }),
    healthCheckDuration: target.healthCheckSeconds * NS_PER_S,
    disableProxy: target.disableProxy,
    resetBeforeDate: target.resetBefore === 0 ? ZERO_TIME : wireTime(target.resetBefore),
    ...(target.resetId !== '' && { resetID: target.resetId }),
    totalDowntime: Math.round((state?.downtime ?? 0) * NS_PER_MS),
    lastOnline: state?.lastOnline ? wireTime(state.lastOnline) : ZERO_TIME,
    isOnline: state?.online ?? false,
    latency: {
      curr: Math.round((state?.latency.current ?? 0) * NS_PER_MS),
      avg: Math.round((state?.latency.average ?? 0) * NS_PER_MS),
      max: Math.round((state?.latency.longest ?? 0) * NS_PER_MS),
    },
    deploymentID: target.deploymentId,
    edge: false,
    edgeSyncBeforeExpiry: false,
    offlineCount: state?.offlineCount ?? 0,
  }
}
