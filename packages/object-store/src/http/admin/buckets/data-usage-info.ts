import type { BucketUsageCounts } from '../../../engine/interface/types.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { totalUsage, wireSizeHistogram } from '../server/usage-totals.ts'

/** Returns the usage of all buckets. It is always current, because each write updates it. */
export const dataUsageInfoEndpoint: AdminEndpoint = {
  name: 'DataUsageInfo',
  method: 'GET',
  path: 'datausageinfo',
  handle(call) {
    const { engine } = call
    const usages = engine.listBuckets().map(({ name }) => ({ name, usage: engine.bucketUsage(name) }))
    const total = totalUsage(usages.map(({ usage }) => usage))
    call.json({
      lastUpdate: new Date().toISOString(),
      objectsCount: total.objects,
      versionsCount: total.versions,
      deleteMarkersCount: total.deleteMarkers,
      objectsTotalSize: total.size,
      objectsReplicationInfo: null,
      bucketsCount: usages.length,
      bucketsUsageInfo: Object.fromEntries(usages.map(({ name, usage }) => [name, wireUsage(usage)])),
      bucketsSizes: Object.fromEntries(usages.map(({ name, usage }) => [name, usage.size])),
    })
  },
}

function wireUsage(usage: BucketUsageCounts): object {
  return {
    size: usage.size,
    objectsPendingReplicationTotalSize: 0,
    objectsFailedReplicationTotalSize: 0,
    objectsReplicatedTotalSize: 0,
    objectsPendingReplicationCount: 0,
    objectsFailedReplicationCount: 0,
    objectsCount: usage.objects,
    objectsSizesHistogram: wireSizeHistogram(usage.sizeHistogram),
    objectsVersionsHistogram: usage.versionsHistogram,
    versionsCount: usage.versions,
    deleteMarkersCount: usage.deleteMarkers,
    objectReplicaTotalSize: 0,
    objectReplicaCount: 0,
    objectsReplicationInfo: {},
  }
}
