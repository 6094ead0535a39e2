import type { Widget } from '@stowage/contract'
import { type Message, msg } from '../../../lib/text/message.ts'

type Targets = Widget['targets']
type Result = Targets[number]['result'][number]

/** A line of a chart; null where it has no value. */
export interface ChartLine {
  label: string
  values: (number | null)[]
}

export interface ChartLines {
  /** Seconds since 1970, shared by all lines. */
  times: number[]
  lines: ChartLine[]
}

/** The values of a widget, prepared for drawing; undefined without values. */
export type WidgetData =
  | { kind: 'value'; value: number }
  | { kind: 'share'; free: number; total: number | undefined }
  | { kind: 'bars'; bars: { label: Message; value: number }[] }
  | ({ kind: 'lines' } & ChartLines)

/**
 * Returns the name of a series. `{{server}}` is replaced by the value of that label, `{{server,api}}` by both values, joined
 * by a comma. A missing label is replaced by nothing.
 */
export function seriesLabel(legend: string, metric: Readonly<Record<string, string>>): string {
  return legend.replace(/\{\{([^{}]*)\}\}/g, (_, names: string) =>
    names
      .split(',')
      .map((name) => metric[name.trim()] ?? '')
      .filter((value) => value !== '')
      .join(','),
  )
}

/** Removes the common prefix and suffix of all labels. */
export function shortenLabels(labels: readonly string[]): string[] {
  const [first = '', ...others] = labels
  if (others.length === 0) return [...labels]
  const common = (test: (length: number) => boolean) => {
    let length = 0
    while (length < first.length && test(length + 1)) length++
    return length
  }
  const same = common((length) => others.every((label) => label.startsWith(first.slice(0, length))))
  // Only whole words are removed.
  const start = first.slice(0, same).search(/[^\s,:/[]*$/)
  const end = common((length) =>
    others.every((label) => label.slice(start).endsWith(first.slice(start).slice(-length))),
  )
  const kept = first.slice(first.length - end).search(/[\s,:/[\]]/)
  const cut = kept < 0 ? 0 : end - kept
  return labels.map((label) => label.slice(start, label.length - cut))
}

/**
 * Returns the single value of a widget: for `mean` the rounded-down average, otherwise the latest value of the first series.
 */
export function singleWidgetValue({ options, targets }: Pick<Widget, 'options' | 'targets'>): number | undefined {
  const values = numericValues(targets[0]?.result[0])
  if (values.length === 0) return undefined
  if (options?.reduceOptions.calcs[0] === 'mean')
    return Math.floor(values.reduce((sum, [, value]) => sum + value, 0) / values.length)
  return latestValue(values)
}

function numericValues(result: Result | undefined): [time: number, value: number][] {
  return (result?.values ?? []).map(([time, value]): [number, number] => [time, Number(value)]).filter(isNumber)
}

const isNumber = ([, value]: [number, number]) => Number.isFinite(value)

const latestValue = (values: readonly [number, number][]) =>
  values.reduce((last, next) => (next[0] >= last[0] ? next : last))[1]

/** Returns the series of a widget with their labels, over all times at which one of them has a value. */
export function chartLines({ targets }: Pick<Widget, 'targets'>): ChartLines {
  const series = targets
    .flatMap(({ legendFormat, result }) =>
      result.map((each) => ({ label: seriesLabel(legendFormat, each.metric), values: new Map(numericValues(each)) })),
    )
    .sort((a, b) => (a.label < b.label ? -1 : 1))
  const times = [...new Set(series.flatMap(({ values }) => [...values.keys()]))].sort((a, b) => a - b)
  return {
    times,
    lines: series.map(({ label, values }) => ({ label, values: times.map((time) => values.get(time) ?? null) })),
  }
}

/** The ranges of object sizes, in order. Servers of 2025 omit a letter in the second name. */
export const objectSizeRanges: readonly (readonly [range: string, label: Message])[] = [
  ['LESS_THAN_1024_B', msg('Less than 1024B')],
  ['BETWEEN_1024_B_AND_1_MB', msg('Between 1024B and 1MB')],
  ['BETWEEN_1_MB_AND_10_MB', msg('Between 1MB and 10MB')],
  ['BETWEEN_10_MB_AND_64_MB', msg('Between 10MB and 64MB')],
  ['BETWEEN_64_MB_AND_128_MB', msg('Between 64MB and 128MB')],
  ['BETWEEN_128_MB_AND_512_MB', msg('Between 128MB and 512MB')],
  ['GREATER_THAN_512_MB', msg('Greater than 512MB')],
]

function objectSizeBars({ targets }: Pick<Widget, 'targets'>): { label: Message; value: number }[] {
  const results = targets.flatMap(({ result }) => result)
  if (results.length === 0) return []
  return objectSizeRanges.map(([range, label]) => {
    const values = numericValues(
      results.find(({ metric }) => Object.values(metric)[0]?.replace('1024B', '1024_B') === range),
    )
    return { label, value: values.length > 0 ? latestValue(values) : 0 }
  })
}

export function widgetData(widget: Widget): WidgetData | undefined {
  if (widget.type === 'graph') {
    const lines = chartLines(widget)
    return lines.times.length > 0 ? { kind: 'lines', ...lines } : undefined
  }
  if (widget.type === 'bargauge') {
    const bars = objectSizeBars(widget)
    return bars.length > 0 ? { kind: 'bars', bars } : undefined
  }
  const value = singleWidgetValue(widget)
  if (value === undefined) return undefined
  if (widget.type !== 'gauge') return { kind: 'value', value }
  const total = numericValues(widget.targets[1]?.result[0])
  return { kind: 'share', free: value, total: total.length > 0 ? latestValue(total) : undefined }
}
