import type { JsonStream } from '../transport/json-stream.ts'
import { asList, asNumber, asText, pickMember } from '../transport/json-values.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'

/** A bucket on another server to which a bucket is replicated. */
export interface RemoteTargetInfo {
  readonly arn: string
  readonly sourceBucket: string
  /** `host:port` */
  readonly endpoint: string
  readonly secure: boolean
  readonly targetBucket: string
  /** The secret key is never returned. */
  readonly accessKey: string
  readonly sync: boolean
  /** Bytes per second; 0: unlimited. */
  readonly bandwidth: number
  readonly healthCheckSeconds: number
  readonly online: boolean
  /** ms since 1970; undefined: never. */
  readonly lastOnline: number | undefined
  readonly downtimeSeconds: number
}

export interface NewRemoteTarget
  extends Pick<RemoteTargetInfo, 'endpoint' | 'secure' | 'targetBucket' | 'accessKey' | 'sync' | 'bandwidth'> {
  readonly secretKey: string
  readonly region: string
  readonly healthCheckSeconds: number
}

const NS_PER_S = 1_000_000_000

/** Lists the targets of a bucket, or of all buckets if the name is empty. Needs `admin:GetBucketTarget`. */
export async function listRemoteTargets(
  t: Transport,
  bucket: string,
  options?: AdminCallOptions,
): Promise<RemoteTargetInfo[]> {
  const query = { bucket, type: 'replication' }
  return asList(await t.call({ method: 'GET', path: 'list-remote-targets', query, ...options })).map(readRemoteTarget)
}

function readRemoteTarget(value: unknown): RemoteTargetInfo {
  const lastOnline = Date.parse(asText(pickMember(value, 'lastOnline')))
  return {
    arn: asText(pickMember(value, 'arn')),
    sourceBucket: asText(pickMember(value, 'sourcebucket')),
    endpoint: asText(pickMember(value, 'endpoint')),
    secure: pickMember(value, 'secure') === true,
    targetBucket: asText(pickMember(value, 'targetbucket')),
    accessKey: asText(pickMember(pickMember(value, 'credentials'), 'accessKey')),
    sync: pickMember(value, 'replicationSync') === true,
    bandwidth: asNumber(pickMember(value, 'bandwidthlimit')) ?? 0,
    healthCheckSeconds: Math.round((asNumber(pickMember(value, 'healthCheckDuration')) ?? 0) / NS_PER_S),
    online: pickMember(value, 'isOnline') === true,
    lastOnline: lastOnline > 0 ? lastOnline : undefined,
    downtimeSeconds: Math.round((asNumber(pickMember(value, 'totalDowntime')) ?? 0) / NS_PER_S),
  }
}

/**
 * Adds a target; the server checks that the target bucket has versioning. Needs `admin:SetBucketTarget`.
 * @returns its ARN; that of the existing target if it is the same
 * @throws MadminError XMinioAdminReplicationRemoteConnectionError, RemoteTargetNotVersionedError …
 */
export async function setRemoteTarget(
  t: Transport,
  bucket: string,
  target: NewRemoteTarget,
  options?: AdminCallOptions,
): Promise<string> {
  const sealed = {
    sourcebucket: bucket,
    endpoint: target.endpoint,
    credentials: { accessKey: target.accessKey, secretKey: target.secretKey },
    targetbucket: target.targetBucket,
    secure: target.secure,
    path: 'auto',
    api: 's3v4',
    type: 'replication',
    region: target.region,
    ...wireSettings(target),
  }
  const query = { bucket }
  return asText(
    await t.call({ method: 'PUT', path: 'set-remote-target', query, sealed, idempotent: false, ...options }),
  )
}

type Settings = Pick<RemoteTargetInfo, 'sync' | 'bandwidth' | 'healthCheckSeconds'>

function wireSettings({ sync, bandwidth, healthCheckSeconds }: Settings) {
  return { replicationSync: sync, bandwidthlimit: bandwidth, healthCheckDuration: healthCheckSeconds * NS_PER_S }
}

/** Changes the settings of a target. @throws MadminError XMinioAdminRemoteTargetNotFoundError and as `setRemoteTarget` */
export async function updateRemoteTarget(
  t: Transport,
  bucket: string,
  target: RemoteTargetInfo,
  settings: Settings,
  options?: AdminCallOptions,
): Promise<void> {
  const { arn, endpoint, secure, targetBucket } = target
  const sealed = {
    arn,
    sourcebucket: bucket,
    endpoint,
    secure,
    targetbucket: targetBucket,
    type: 'replication',
    ...wireSettings(settings),
  }
  const query = { bucket, update: 'true', sync: 'true', bandwidth: 'true', healthcheck: 'true' }
  await t.call({ method: 'PUT', path: 'set-remote-target', query, sealed, ...options })
}

/** Removes a target that no rule uses. @throws MadminError XMinioAdminRemoteRemoveDisallowed */
export async function removeRemoteTarget(
  t: Transport,
  bucket: string,
  arn: string,
  options?: AdminCallOptions,
): Promise<void> {
  await t.call({ method: 'DELETE', path: 'remove-remote-target', query: { bucket, arn }, ...options })
}

/** A version that a target has refused. */
export interface ReplicationFailure {
  readonly object: string
  readonly versionId: string
  readonly attempts: number
  readonly error: string
}

/**
 * Streams the versions that the targets of a bucket have refused. Needs `admin:ReplicationDiff`.
 * @param options.arn only those of this target; other servers than the embedded store ignore it
 */
export async function replicationFailures(
  t: Transport,
  bucket: string,
  { arn, ...options }: AdminCallOptions & { arn?: string } = {},
): Promise<JsonStream> {
  const query = { bucket, node: '', ...(arn !== undefined && { arn }) }
  return await t.stream({ method: 'GET', path: 'replication/mrf', query, ...options })
}

export function readReplicationFailure(value: unknown): ReplicationFailure {
  return {
    object: asText(pickMember(value, 'object')),
    versionId: asText(pickMember(value, 'versionId')),
    attempts: asNumber(pickMember(value, 'retryCount')) ?? 0,
    error: asText(pickMember(value, 'error')),
  }
}

/** Queues refused versions again: a call of our own store. Needs `admin:SetBucketTarget`. */
export async function retryReplication(
  t: Transport,
  bucket: string,
  arn: string,
  options?: AdminCallOptions,
): Promise<number> {
  const answer = await t.call({ method: 'POST', path: 'replication/retry', query: { bucket, arn }, ...options })
  return asNumber(pickMember(answer, 'retried')) ?? 0
}
