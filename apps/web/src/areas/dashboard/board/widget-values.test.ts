import type { Widget } from '@stowage/contract'
import { expect, test } from 'vitest'
import {
  chartLines,
  objectSizeRanges,
  seriesLabel,
  shortenLabels,
  singleWidgetValue,
  widgetData,
} from './widget-values.ts'

type Series = [metric: Record<string, string>, values: [number, string][]]

const widget = (type: Widget['type'], series: Series[], more: { legend?: string; calc?: string } = {}): Widget => ({
  id: 1,
  title: 'Uptime',
  type,
  ...(more.calc === undefined ? {} : { options: { reduceOptions: { calcs: [more.calc] } } }),
  targets: [
    {
      legendFormat: more.legend ?? '',
      resultType: 'matrix',
      result: series.map(([metric, values]) => ({ metric, values })),
    },
  ],
})

test.each([
  ['Open FDs [{{server}}]', { server: 'a:9000' }, 'Open FDs [a:9000]'],
  ['{{server,api}}', { server: 'a:9000', api: 'getobject' }, 'a:9000,getobject'],
  ['{{server}}:{{drive}}{{disk}}', { server: 'a', disk: '/d1' }, 'a:/d1'],
  ['{{absent}}', {}, ''],
  ['Used Capacity', { server: 'a' }, 'Used Capacity'],
])('the legend %j for %j is %j [DSH-12]', (legend, metric, label) =>
  expect(seriesLabel(legend, metric as Record<string, string>)).toBe(label),
)

// The latest value is neither the last in the list nor the largest.
const values: [number, string][] = [
  [30, '4'],
  [10, '2'],
  [20, '7'],
]
test.each([
  ['mean', 4],
  ['last', 4],
  ['lastNotNull', 4],
])('the reduction %j of 2, 7, 4 is %d: the floor of the mean, or the latest by time [DSH-12]', (calc, value) =>
  expect(singleWidgetValue(widget('stat', [[{}, values]], { calc }))).toBe(value),
)

test('a missing value and a non-numeric text are not treated as zero', () => {
  expect(widgetData(widget('stat', []))).toBeUndefined()
  expect(widgetData(widget('stat', [[{}, [[1, 'NaN']]]]))).toBeUndefined()
  expect(widgetData(widget('stat', [[{}, [[1, '0']]]]))).toEqual({ kind: 'value', value: 0 })
})

test('lines are joined by time and sorted by label; missing values are gaps [DSH-12]', () => {
  const given = widget(
    'graph',
    [
      [{ server: 'b' }, [[2, '5']]],
      [
        { server: 'a' },
        [
          [1, '1'],
          [2, '2'],
        ],
      ],
    ],
    { legend: '{{server}}' },
  )
  expect(chartLines(given)).toEqual({
    times: [1, 2],
    lines: [
      { label: 'a', values: [1, 2] },
      { label: 'b', values: [null, 5] },
    ],
  })
})

test('object sizes are listed in seven ranges, by the first label, ignoring other series [DSH-21]', () => {
  const given = widget('bargauge', [
    [{ range: 'BETWEEN_1024B_AND_1_MB', server: 'a:9000' }, [[1, '3']]],
    [{ range: 'BETWEEN_1024_B_AND_64_KB' }, [[1, '3']]],
    [{ range: 'GREATER_THAN_512_MB' }, values],
  ])
  expect(widgetData(given)).toEqual({
    kind: 'bars',
    bars: [
      { label: 'Less than 1024B', value: 0 },
      { label: 'Between 1024B and 1MB', value: 3 },
      { label: 'Between 1MB and 10MB', value: 0 },
      { label: 'Between 10MB and 64MB', value: 0 },
      { label: 'Between 64MB and 128MB', value: 0 },
      { label: 'Between 128MB and 512MB', value: 0 },
      { label: 'Greater than 512MB', value: 4 },
    ],
  })
  const old = widget('bargauge', [[{ range: objectSizeRanges[1]?.[0] ?? '' }, [[1, '9']]]])
  expect(widgetData(old)).toMatchObject({
    bars: [{ value: 0 }, { label: 'Between 1024B and 1MB', value: 9 }, {}, {}, {}, {}, {}],
  })
})

test.each([
  [
    ['a:9000,getobject', 'a:9000,putobject'],
    ['getobject', 'putobject'],
  ],
  [
    ['Node RChar [a:9000]', 'Node WChar [a:9000]'],
    ['RChar', 'WChar'],
  ],
  [
    ['Used [a:/data/d1]', 'Used [a:/data/d2]'],
    ['d1', 'd2'],
  ],
  [['Data Sent [a]'], ['Data Sent [a]']],
])('a legend omits the common parts of %j', (labels, short) => expect(shortenLabels(labels)).toEqual(short))
