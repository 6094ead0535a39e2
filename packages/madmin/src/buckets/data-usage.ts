import { asCounts, asNumber, asObject, asText, asTime, pickMember } from '../transport/json-values.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'
import { readSizeHistogram } from './account-info.ts'

export interface BucketUsageInfo {
  /** Bytes. */
  readonly size: number
  readonly objects: number
  readonly versions: number
  readonly deleteMarkers: number
  readonly objectsBySize: Readonly<Record<string, number>>
  readonly objectsByVersions: Readonly<Record<string, number>>
}

export interface DataUsage {
  /** End of the scan that the figures come from, RFC 3339; undefined before the first one ended. */
  readonly lastUpdate: string | undefined
  readonly objects: number
  readonly versions: number
  readonly deleteMarkers: number
  /** Bytes. */
  readonly size: number
  readonly buckets: number
  readonly bucketUsage: Readonly<Record<string, BucketUsageInfo>>
}

/**
 * Returns the usage of all buckets as last counted by the server's scanner. Needs `admin:DataUsageInfo`. Capacity is in
 * `storageInfo`: MinIO never reports it here.
 * @throws MadminError AccessDenied
 */
export async function dataUsage(t: Transport, options?: AdminCallOptions): Promise<DataUsage> {
  return readDataUsage(await t.call({ method: 'GET', path: 'datausageinfo', ...options }))
}

/** Reads the answers of MinIO (camel case) and of RustFS (snake case). */
export function readDataUsage(answer: unknown): DataUsage {
  const count = (...names: string[]) => asNumber(pickMember(answer, ...names)) ?? 0
  const buckets = Object.entries(asObject(pickMember(answer, 'bucketsUsageInfo', 'buckets_usage')))
  return {
    lastUpdate: readLastUpdate(pickMember(answer, 'lastUpdate', 'last_update')),
    objects: count('objectsCount', 'objects_total_count'),
    versions: count('versionsCount', 'versions_total_count'),
    deleteMarkers: count('deleteMarkersCount', 'delete_markers_total_count'),
    size: count('objectsTotalSize', 'objects_total_size'),
    buckets: count('bucketsCount', 'buckets_count'),
    bucketUsage: Object.fromEntries(buckets.map(([name, usage]) => [name, readBucketUsageInfo(usage)])),
  }
}

function readBucketUsageInfo(value: unknown): BucketUsageInfo {
  const count = (...names: string[]) => asNumber(pickMember(value, ...names)) ?? 0
  return {
    size: count('size'),
    objects: count('objectsCount', 'objects_count'),
    versions: count('versionsCount', 'versions_count'),
    deleteMarkers: count('deleteMarkersCount', 'delete_markers_count'),
    objectsBySize: readSizeHistogram(pickMember(value, 'objectsSizesHistogram', 'object_size_histogram')),
    objectsByVersions: asCounts(pickMember(value, 'objectsVersionsHistogram', 'object_versions_histogram')),
  }
}

/** RustFS sends seconds since the epoch instead of MinIO's RFC 3339. */
function readLastUpdate(value: unknown): string | undefined {
  const seconds = asNumber(pickMember(value, 'secs_since_epoch'))
  return seconds ? new Date(seconds * 1000).toISOString() : asTime(asText(value))
}
