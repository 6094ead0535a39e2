import { expect, test } from 'vitest'
import { buildPromql } from '../../lib/metrics/promql.ts'
import { parseTextFormat } from '../../lib/metrics/series/text-format.ts'
import { type WidgetTarget, widgetById } from '../../lib/metrics/series/widget-definitions.ts'
import { widgetRange } from './widget-routes.ts'

const selection = { job: 'minio-job', extraLabels: { cluster: 'north "1"' } }
const query = (id: number, n = 0) => buildPromql(widgetById.get(id)?.targets[n] as WidgetTarget, selection, 240)
const labels = '{job="minio-job", cluster="north \\"1\\""}'

test.each([
  [1, 0, `time() - max(minio_node_process_starttime_seconds${labels})`],
  [63, 0, `sum by (server) (rate(minio_s3_traffic_received_bytes${labels}[240s]))`],
  [17, 0, `sum by (server) (rate(minio_inter_node_traffic_received_bytes${labels}[240s]))`],
  [17, 1, `sum by (server) (rate(minio_inter_node_traffic_sent_bytes${labels}[240s]))`],
  [9, 0, `max(minio_cluster_drive_online_total${labels}) or max(minio_cluster_disk_online_total${labels})`],
  [
    44,
    0,
    `max(minio_cluster_usage_object_total${labels}) or max(sum by (instance) (minio_bucket_usage_object_total${labels}))`,
  ],
  [
    82,
    0,
    `sum by (server, drive) (minio_node_drive_free_inodes${labels}) or on (server) sum by (server, disk) (minio_cluster_disk_free_inodes${labels})`,
  ],
])('widget %d asks Prometheus, target %d: %s', (id, n, expected) => expect(query(id, n)).toBe(expected))

test('the three widgets with two series send two queries', () => {
  for (const id of [17, 73, 11]) expect(query(id, 0)).not.toBe(query(id, 1))
})

test('the text format of Prometheus is read with its escapes; values that are not finite are left out', () => {
  const text = [
    '# HELP a Help',
    '# TYPE a counter',
    'a{server="x:9000",drive="/d\\"1\\\\\\n"} 5 1395066363000',
    'a 1.5e3',
    'a NaN',
    'a +Inf',
    'a{broken',
    'other 1',
    '',
  ].join('\n')
  expect(parseTextFormat(text, (name) => name === 'a')).toEqual([
    { metric: 'a', labels: { server: 'x:9000', drive: '/d"1\\\n' }, value: 5 },
    { metric: 'a', labels: {}, value: 1500 },
  ])
})

const widget = { step: 60 }
test.each([
  ['nothing', {}, { start: 9100, end: 10_000, step: 60 }],
  ['a step', { step: 15 }, { start: 9100, end: 10_000, step: 15 }],
  ['step 0', { step: 0 }, { start: 9100, end: 10_000, step: 60 }],
  ['one end alone', { start: 5 }, { start: 9100, end: 10_000, step: 60 }],
  ['both ends', { start: 100, end: 700, step: 10 }, { start: 100, end: 700, step: 10 }],
  ['ten years', { start: 0, end: 315_360_000, step: 1 }, { start: 0, end: 315_360_000, step: 315_360 }],
  ['a step of a billion', { start: 0, end: 60, step: 1e9 }, { start: 0, end: 60, step: 1e9 }],
])('the range for %s', (_name, asked, range) => expect(widgetRange(asked, widget, 10_000)).toEqual(range))

test('a start after the end is refused', () => {
  expect(() => widgetRange({ start: 2, end: 1 }, widget)).toThrow('The start is after the end')
})
