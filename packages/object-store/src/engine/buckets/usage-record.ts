import { pack, unpack } from 'msgpackr'
import type { BucketUsageCounts } from '../interface/types.ts'
import type { VersionRecord } from '../records/index-records.ts'

const KiB = 1024
const MiB = 1024 * KiB

/** Upper bounds (exclusive) of MinIO's ranges of object sizes, in bytes. */
const SIZE_RANGES: [string, number][] = [
  ['LESS_THAN_1024_B', KiB],
  ['BETWEEN_1024_B_AND_64_KB', 64 * KiB],
  ['BETWEEN_64_KB_AND_256_KB', 256 * KiB],
  ['BETWEEN_256_KB_AND_512_KB', 512 * KiB],
  ['BETWEEN_512_KB_AND_1_MB', MiB],
  ['BETWEEN_1_MB_AND_10_MB', 10 * MiB],
  ['BETWEEN_10_MB_AND_64_MB', 64 * MiB],
  ['BETWEEN_64_MB_AND_128_MB', 128 * MiB],
  ['BETWEEN_128_MB_AND_512_MB', 512 * MiB],
  ['GREATER_THAN_512_MB', Number.POSITIVE_INFINITY],
]

/** Upper bounds (exclusive) of the ranges of versions per key; a lone null version counts as unversioned. */
const VERSION_COUNT_RANGES: [string, number][] = [
  ['UNVERSIONED', 1],
  ['SINGLE_VERSION', 2],
  ['BETWEEN_2_AND_10', 10],
  ['BETWEEN_10_AND_100', 100],
  ['BETWEEN_100_AND_1000', 1000],
  ['BETWEEN_1000_AND_10000', 10_000],
  ['GREATER_THAN_10000', Number.POSITIVE_INFINITY],
]

/** Counters of a bucket, changed by the transactions that change its objects. */
export interface UsageRecord {
  objects: number
  versions: number
  deleteMarkers: number
  size: number
  sizes: number[]
  versionCounts: number[]
}

export function emptyUsage(): UsageRecord {
  return {
    objects: 0,
    versions: 0,
    deleteMarkers: 0,
    size: 0,
    sizes: SIZE_RANGES.map(() => 0),
    versionCounts: VERSION_COUNT_RANGES.map(() => 0),
  }
}

/** Adds (`sign` 1) or subtracts (-1) a version or delete marker in the counters. */
export function countVersionUsage(usage: UsageRecord, record: VersionRecord, sign: 1 | -1): void {
  if (record.marker) usage.deleteMarkers += sign
  else {
    usage.versions += sign
    usage.size += sign * record.size
  }
}

/** Adds or subtracts a key by its latest version; a key whose latest version is a delete marker is not an object. */
export function countKeyUsage(usage: UsageRecord, latest: VersionRecord | undefined, sign: 1 | -1): void {
  if (!latest || latest.marker) return
  usage.objects += sign
  const size = SIZE_RANGES.findIndex(([, bound]) => latest.size < bound)
  usage.sizes[size] = (usage.sizes[size] ?? 0) + sign
  const count = latest.versions === 1 && latest.versionId === 'null' ? 0 : latest.versions
  const range = VERSION_COUNT_RANGES.findIndex(([, bound]) => count < bound)
  usage.versionCounts[range] = (usage.versionCounts[range] ?? 0) + sign
}

export function encodeUsage(usage: UsageRecord): Buffer {
  const { objects, versions, deleteMarkers, size, sizes, versionCounts } = usage
  return pack([objects, versions, deleteMarkers, size, sizes, versionCounts])
}

export function decodeUsage(value: Buffer): UsageRecord {
  const [objects, versions, deleteMarkers, size, sizes, versionCounts] = unpack(value) as [
    number,
    number,
    number,
    number,
    number[],
    number[],
  ]
  return { objects, versions, deleteMarkers, size, sizes, versionCounts }
}

export function describeUsage(usage: UsageRecord): BucketUsageCounts {
  const { objects, versions, deleteMarkers, size } = usage
  const named = (ranges: [string, number][], counts: number[]) =>
    Object.fromEntries(ranges.map(([name], i) => [name, counts[i] ?? 0]))
  return {
    objects,
    versions,
    deleteMarkers,
    size,
    sizeHistogram: named(SIZE_RANGES, usage.sizes),
    versionsHistogram: named(VERSION_COUNT_RANGES, usage.versionCounts),
  }
}
