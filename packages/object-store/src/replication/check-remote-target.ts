import { randomUUID } from 'node:crypto'
import type { Engine } from '../engine/interface/types.ts'
import { S3Error } from '../lib/errors.ts'
import { parseXml, xmlChildText } from '../lib/xml.ts'
import { RemoteBucket, RemoteError } from './remote-bucket.ts'
import type { StoredRemoteTarget } from './remote-target-store.ts'
import type { Replicator } from './replicator.ts'

export interface CheckRemoteTargetOptions {
  engine: Engine
  replication: Pick<Replicator, 'egress'>
  signal: AbortSignal
  /** Whether to check the rights to send versions and deletions too. */
  permissions?: boolean
}

const TIMEOUT_MS = 10_000

/**
 * Checks whether a target can store the versions of its bucket.
 * @returns the deployment ID of the other store; empty if it does not report one
 * @throws S3Error XMinioAdminReplicationRemoteConnectionError, RemoteDestinationNotFoundError, RemoteTargetNotVersionedError,
 *   ReplicationDestinationMissingLockError, XMinioAdminRemoteIdenticalToSource, InvalidRequest (a right is missing)
 */
export async function checkRemoteTarget(
  target: StoredRemoteTarget,
  { engine, replication, signal: closing, permissions = false }: CheckRemoteTargetOptions,
): Promise<string> {
  const remote = new RemoteBucket(target, replication.egress)
  const signal = AbortSignal.any([closing, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    const { headers } = await remote.send({ method: 'HEAD', signal })
    const deploymentId = headers['x-minio-deployment-id'] ?? ''
    if (deploymentId === engine.deploymentId && target.targetBucket === target.sourceBucket) {
      throw new S3Error('XMinioAdminRemoteIdenticalToSource', 'The remote target cannot be identical to source')
    }
    await checkVersioning(remote, signal)
    if (engine.getBucket(target.sourceBucket).objectLock) await checkObjectLock(remote, signal)
    if (permissions) await checkPermissions(remote, signal)
    return deploymentId
  } catch (error) {
    if (error instanceof RemoteError) throw connectionError(error, target)
    if (signal.aborted && !closing.aborted) {
      const text = `Remote service connection error: ${target.endpoint} did not answer in time.`
      throw new S3Error('XMinioAdminReplicationRemoteConnectionError', text)
    }
    throw error
  }
}

function connectionError(error: RemoteError, { targetBucket }: StoredRemoteTarget): S3Error {
  if (error.status === 404) {
    return new S3Error('RemoteDestinationNotFoundError', `The remote bucket ${targetBucket} does not exist`)
  }
  const text =
    error.status === 403 && error.code !== 'RequestTimeTooSkewed'
      ? `Remote service connection error: the credentials are wrong, or give no right to the bucket ${targetBucket}.`
      : `Remote service connection error: ${error.message}`
  return new S3Error('XMinioAdminReplicationRemoteConnectionError', text, { cause: error })
}

async function checkVersioning(remote: RemoteBucket, signal: AbortSignal): Promise<void> {
  const { text } = await remote.send({ method: 'GET', query: [['versioning', '']], signal })
  if (xmlChildText(parseXml(text, 'VersioningConfiguration'), 'Status') === 'Enabled') return
  throw new S3Error('RemoteTargetNotVersionedError', 'The remote target does not have versioning enabled')
}

async function checkObjectLock(remote: RemoteBucket, signal: AbortSignal): Promise<void> {
  try {
    await remote.send({ method: 'GET', query: [['object-lock', '']], signal })
  } catch (error) {
    if (!(error instanceof RemoteError) || error.status !== 404) throw error
    const text = 'The replication destination bucket does not have object locking enabled'
    throw new S3Error('ReplicationDestinationMissingLockError', text)
  }
}

/** Sends writes and deletions that the other store refuses as mere checks after it has checked the rights. */
async function checkPermissions(remote: RemoteBucket, signal: AbortSignal): Promise<void> {
  const common = { key: '.minio.sys/replication-check', query: [['versionId', randomUUID()]] as const, signal }
  const headers = {
    'x-amz-replication-status': 'REPLICA',
    'x-minio-source-replication-request': 'true',
    'x-minio-source-replication-check': 'true',
  }
  for (const [method, actions] of [
    ['PUT', 's3:PutObject and s3:ReplicateObject'],
    ['DELETE', 's3:DeleteObject and s3:ReplicateDelete'],
  ] as const) {
    try {
      await remote.send({ ...common, method, headers, ...(method === 'PUT' && { body: Buffer.from('a') }) })
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error
      if (error.code === 'ReplicationPermissionCheck') continue
      if (error.status !== 403) throw error
      throw new S3Error('InvalidRequest', `The credentials of the target need the rights ${actions}.`)
    }
  }
}
