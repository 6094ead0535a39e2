import type { BucketUsageCounts } from '../../../engine/interface/types.ts'

const FINER_THAN_LEGACY = [
  'BETWEEN_1024_B_AND_64_KB',
  'BETWEEN_64_KB_AND_256_KB',
  'BETWEEN_256_KB_AND_512_KB',
  'BETWEEN_512_KB_AND_1_MB',
]

/** Returns the size histogram with the additional, wider range for older clients, as MinIO sends it. */
export function wireSizeHistogram(histogram: BucketUsageCounts['sizeHistogram']): Record<string, number> {
  const legacy = FINER_THAN_LEGACY.reduce((sum, range) => sum + (histogram[range] ?? 0), 0)
  return { ...histogram, BETWEEN_1024B_AND_1_MB: legacy }
}

/** Returns the total usage of all buckets. */
export function totalUsage(
  usages: readonly BucketUsageCounts[],
): Record<'objects' | 'versions' | 'deleteMarkers' | 'size', number> {
  const total = { objects: 0, versions: 0, deleteMarkers: 0, size: 0 }
  for (const usage of usages) {
    total.objects += usage.objects
    total.versions += usage.versions
    total.deleteMarkers += usage.deleteMarkers
    total.size += usage.size
  }
  return total
}
