import type { MetricSample } from './text-format.ts'
import type { MetricSource } from './widget-definitions.ts'

/** Values that share labels. */
export interface SeriesGroup<T> {
  labels: Record<string, string>
  members: T[]
}

/** Groups values by some labels; missing labels are left out. */
export function groupByLabels<T extends { labels: Readonly<Record<string, string>> }>(
  items: readonly T[],
  by: readonly string[],
): SeriesGroup<T>[] {
  const groups = new Map<string, SeriesGroup<T>>()
  for (const item of items) {
    const labels = Object.fromEntries(by.flatMap((name) => (item.labels[name] ? [[name, item.labels[name]]] : [])))
    const key = JSON.stringify(labels)
    const group = groups.get(key)
    if (group) group.members.push(item)
    else groups.set(key, { labels, members: [item] })
  }
  return [...groups.values()]
}

export function combineValues(values: readonly number[], how: MetricSource['sum']): number {
  if (how === 'count') return values.length
  if (how === 'max') return Math.max(...values)
  return values.reduce((sum, value) => sum + value, 0)
}

/** Returns the samples of one source under their name in the history. */
export function renameSamples(
  samples: readonly MetricSample[],
  { metric, sum, by }: MetricSource,
  name: string,
): MetricSample[] {
  const own = samples.filter((sample) => sample.metric === metric)
  return groupByLabels(own, [...new Set([...by, 'server', 'instance'])]).map(({ labels, members }) => ({
    metric: name,
    labels,
    value: combineValues(
      members.map(({ value }) => value),
      sum,
    ),
  }))
}
