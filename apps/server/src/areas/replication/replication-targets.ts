import type { ReplicationTarget } from '@stowage/contract'
import { LostRecords, type RemoteTargetInfo, readReplicationFailure } from '@stowage/madmin'
import { toStorageError } from '../../lib/errors/storage-errors.ts'
import type { SessionContext } from '../../lib/http/serve.ts'

/** Maximum number of failures in one answer. */
const FAILURES = 1000

type Clients = Pick<SessionContext, 'madmin' | 's3Stream'>
type Counts = Pick<ReplicationTarget, 'pending' | 'pending_since' | 'current_bandwidth' | 'failed' | 'completed'>

export async function listReplicationTargets(bucket: string, clients: Clients): Promise<ReplicationTarget[]> {
  const [targets, counts] = await Promise.all([
    clients.madmin.listRemoteTargets(bucket),
    readCountsByTarget(bucket, clients),
  ])
  return targets.map((target) => wireTarget(target, counts.get(target.arn)))
}

function wireTarget(target: RemoteTargetInfo, counts: Counts | undefined): ReplicationTarget {
  const { lastOnline } = target
  return {
    arn: target.arn,
    endpoint: target.endpoint,
    secure: target.secure,
    bucket: target.targetBucket,
    access_key: target.accessKey,
    sync_mode: target.sync ? 'sync' : 'async',
    bandwidth: target.bandwidth,
    health_check_period: target.healthCheckSeconds,
    online: target.online,
    ...(lastOnline === undefined ? {} : { last_online: new Date(lastOnline).toISOString() }),
    downtime: target.downtimeSeconds,
    ...counts,
  }
}

/** Returns the counts by ARN; empty if there are no rules. */
async function readCountsByTarget(bucket: string, { s3Stream }: Clients): Promise<ReadonlyMap<string, Counts>> {
  try {
    const text = await s3Stream.text({ method: 'GET', bucket, query: { 'replication-metrics': '' } })
    const { Stats } = JSON.parse(text) as { Stats?: Record<string, Record<string, unknown>> }
    return new Map(Object.entries(Stats ?? {}).map(([arn, stats]) => [arn, readCounts(stats)]))
  } catch (error) {
    if (toStorageError(error)?.code === 'ReplicationConfigurationNotFoundError') return new Map()
    throw error
  }
}

function readCounts(stats: Record<string, unknown>): Counts {
  const number = (name: string) => (typeof stats[name] === 'number' ? stats[name] : 0)
  const pair = (count: string, size: string) => ({ count: number(count), size: number(size) })
  // Later servers report one number of waiting objects for all targets together.
  const isCounted = 'pendingReplicationCount' in stats
  return {
    ...(isCounted && { pending: pair('pendingReplicationCount', 'pendingReplicationSize') }),
    ...(typeof stats.pendingSince === 'string' && { pending_since: stats.pendingSince }),
    ...('currentBandwidth' in stats && { current_bandwidth: number('currentBandwidth') }),
    failed: pair('failedReplicationCount', 'failedReplicationSize'),
    completed: pair('replicationCount', 'completedReplicationSize'),
  }
}

/** Returns the first thousand failed replications, to one target or to all. */
export async function listReplicationFailures(bucket: string, arn: string | undefined, { madmin }: Clients) {
  const failures: { object: string; version_id: string; error: string; attempts: number }[] = []
  for await (const record of await madmin.replicationFailures(bucket, arn === undefined ? {} : { arn })) {
    if (record instanceof LostRecords) continue
    if (failures.length >= FAILURES) return { failures, truncated: true }
    const { object, versionId, error, attempts } = readReplicationFailure(record)
    failures.push({ object, version_id: versionId, error, attempts })
  }
  return { failures, truncated: false }
}
