import { expect, test } from 'vitest'
import { renameSamples } from './aggregate.ts'
import { SAMPLED_METRICS } from './widget-definitions.ts'

/** Returns a metric of a server of 2021 under its name in the history. */
const fromOld = (name: string, metric: string, series: [labels: Record<string, string>, value: number][]) => {
  const source = SAMPLED_METRICS.get(name)?.find((each) => each.metric === metric)
  if (!source) throw new Error(`${name} has no source ${metric}`)
  return renameSamples(
    series.map(([labels, value]) => ({ metric, labels, value })),
    source,
    name,
  )
}
const [server, instance] = ['a:9000', 'a:9000']

test('the buckets of a server of 2021 are summed up to the total', () => {
  const series: [Record<string, string>, number][] = [
    [{ bucket: 'one', server, instance }, 5],
    [{ bucket: 'two', server, instance }, 7],
  ]
  expect(fromOld('minio_cluster_usage_total_bytes', 'minio_bucket_usage_total_bytes', series)).toEqual([
    { metric: 'minio_cluster_usage_total_bytes', labels: { server, instance }, value: 12 },
  ])
  expect(fromOld('minio_cluster_bucket_total', 'minio_bucket_usage_total_bytes', series)[0]?.value).toBe(2)
})

test('object sizes of a server of 2021 are summed by range, and drives keep their label', () => {
  const sizes = fromOld('minio_cluster_objects_size_distribution', 'minio_bucket_objects_size_distribution', [
    [{ bucket: 'one', range: 'LESS_THAN_1024_B', server }, 1],
    [{ bucket: 'two', range: 'LESS_THAN_1024_B', server }, 2],
    [{ bucket: 'two', range: 'GREATER_THAN_512_MB', server }, 4],
  ])
  expect(sizes.map(({ labels, value }) => [labels.range, value])).toEqual([
    ['LESS_THAN_1024_B', 3],
    ['GREATER_THAN_512_MB', 4],
  ])
  const drives = fromOld('minio_node_drive_used_bytes', 'minio_node_disk_used_bytes', [[{ disk: '/d1', server }, 9]])
  expect(drives).toEqual([{ metric: 'minio_node_drive_used_bytes', labels: { server, disk: '/d1' }, value: 9 }])
})
