import type { Engine } from '../engine/interface/types.ts'
import type { Replicator } from './replicator.ts'

/** Returns the answer to `?replication-metrics`, in MinIO's form. */
export function bucketReplicationMetrics(engine: Engine, replication: Replicator, bucket: string): object {
  const stats = replication.targets.list(bucket).map((target) => {
    const { id, arn, bandwidth } = target
    const counts = engine.replicationCounts(bucket, id)
    const [oldest] = engine.listReplicationBacklog({ bucket, target: id, state: 'PENDING', limit: 1 })
    return [
      arn,
      {
        completedReplicationSize: counts.completedBytes,
        replicationCount: counts.completed,
        pendingReplicationSize: counts.pendingBytes,
        pendingReplicationCount: counts.pending,
        failedReplicationSize: counts.failedBytes,
        failedReplicationCount: counts.failed,
        limitInBits: bandwidth,
        // Bytes per second, as in MinIO.
        currentBandwidth: replication.targetState(target)?.bytesPerSecond ?? 0,
        // An addition to MinIO's answer.
        ...(oldest && { pendingSince: new Date(oldest.since).toISOString() }),
      },
    ] as const
  })
  const sum = (pick: (one: (typeof stats)[number][1]) => number) => stats.reduce((all, [, one]) => all + pick(one), 0)
  return {
    Stats: Object.fromEntries(stats),
    completedReplicationSize: sum((one) => one.completedReplicationSize),
    replicaSize: 0,
    replicaCount: 0,
    replicationCount: sum((one) => one.replicationCount),
    pendingReplicationSize: sum((one) => one.pendingReplicationSize),
    pendingReplicationCount: sum((one) => one.pendingReplicationCount),
    failedReplicationSize: sum((one) => one.failedReplicationSize),
    failedReplicationCount: sum((one) => one.failedReplicationCount),
  }
}

/** Returns the answer to `?replication-metrics=2`. */
export function bucketReplicationMetricsV2(engine: Engine, replication: Replicator, bucket: string): object {
  const all = replication.targets.list(bucket).map((target) => ({
    target,
    counts: engine.replicationCounts(bucket, target.id),
  }))
  const pending = all.reduce((sum, { counts }) => sum + counts.pending, 0)
  const pendingBytes = all.reduce((sum, { counts }) => sum + counts.pendingBytes, 0)
  const queued = { count: pending, bytes: pendingBytes }
  return {
    uptime: Math.round((Date.now() - engine.startedAt) / 1000),
    currStats: bucketReplicationMetrics(engine, replication, bucket),
    queueStats: {
      nodes: [{ nodeName: '', uptime: 0, activeWorkers: {}, queueStats: { curr: queued, avg: queued, max: queued } }],
    },
  }
}
