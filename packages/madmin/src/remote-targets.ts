import { at, listOf, numberOf, textOf } from './json.ts'
import type { JsonStream } from './json-stream.ts'
import type { CallOptions, Transport } from './transport.ts'

/** A bucket on another server to which a bucket is replicated. */
export interface RemoteTarget {
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
  extends Pick<RemoteTarget, 'endpoint' | 'secure' | 'targetBucket' | 'accessKey' | 'sync' | 'bandwidth'> {
  readonly secretKey: string
  readonly region: string
  readonly healthCheckSeconds: number
}

const NS_PER_S = 1_000_000_000

/** Lists the targets of a bucket, or of all buckets if the name is empty. Needs `admin:GetBucketTarget`. */
export async function listRemoteTargets(t: Transport, bucket: string, options?: CallOptions): Promise<RemoteTarget[]> {
  const query = { bucket, type: 'replication' }
  return listOf(await t.call({ method: 'GET', path: 'list-remote-targets', query, ...options })).map(readTarget)
}

function readTarget(value: unknown): RemoteTarget {
  const lastOnline = Date.parse(textOf(at(value, 'lastOnline')))
  return {
    arn: textOf(at(value, 'arn')),
    sourceBucket: textOf(at(value, 'sourcebucket')),
    endpoint: textOf(at(value, 'endpoint')),
    secure: at(value, 'secure') === true,
    targetBucket: textOf(at(value, 'targetbucket')),
    accessKey: textOf(at(at(value, 'credentials'), 'accessKey')),
    sync: at(value, 'replicationSync') === true,
    bandwidth: numberOf(at(value, 'bandwidthlimit')) ?? 0,
    healthCheckSeconds: Math.round((numberOf(at(value, 'healthCheckDuration')) ?? 0) / NS_PER_S),
    online: at(value, 'isOnline') === true,
    lastOnline: lastOnline > 0 ? lastOnline : undefined,
    downtimeSeconds: Math.round((numberOf(at(value, 'totalDowntime')) ?? 0) / NS_PER_S),
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
  options?: CallOptions,
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
  return textOf(
    await t.call({ method: 'PUT', path: 'set-remote-target', query, sealed, idempotent: false, ...options }),
  )
}

type Settings = Pick<RemoteTarget, 'sync' | 'bandwidth' | 'healthCheckSeconds'>

function wireSettings({ sync, bandwidth, healthCheckSeconds }: Settings) {
  return { replicationSync: sync, bandwidthlimit: bandwidth, healthCheckDuration: healthCheckSeconds * NS_PER_S }
}

/** Changes the settings of a target. @throws MadminError XMinioAdminRemoteTargetNotFoundError and as `setRemoteTarget` */
export async function updateRemoteTarget(
  t: Transport,
  bucket: string,
  target: RemoteTarget,
  settings: Settings,
  options?: CallOptions,
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
  options?: CallOptions,
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
  { arn, ...options }: CallOptions & { arn?: string } = {},
): Promise<JsonStream> {
  const query = { bucket, node: '', ...(arn !== undefined && { arn }) }
  return await t.stream({ method: 'GET', path: 'replication/mrf', query, ...options })
}

export function readReplicationFailure(value: unknown): ReplicationFailure {
  return {
    object: textOf(at(value, 'object')),
    versionId: textOf(at(value, 'versionId')),
    attempts: numberOf(at(value, 'retryCount')) ?? 0,
    error: textOf(at(value, 'error')),
  }
}

/** Queues refused versions again: a call of our own store. Needs `admin:SetBucketTarget`. */
export async function retryReplication(
  t: Transport,
  bucket: string,
  arn: string,
  options?: CallOptions,
): Promise<number> {
  const answer = await t.call({ method: 'POST', path: 'replication/retry', query: { bucket, arn }, ...options })
  return numberOf(at(answer, 'retried')) ?? 0
}
