import type { Sample } from './text-format.ts'
import type { MetricSource } from './widgets.ts'

/** Values that belong together, and the labels that they have in common. */
export interface Group<T> {
  labels: Record<string, string>
  members: T[]
}

/** Groups by the values of some labels; a label that is absent is left out. */
export function groupedBy<T extends { labels: Readonly<Record<string, string>> }>(
  items: readonly T[],
  by: readonly string[],
): Group<T>[] {
  const groups = new Map<string, Group<T>>()
  for (const item of items) {
    const labels = Object.fromEntries(by.flatMap((name) => (item.labels[name] ? [[name, item.labels[name]]] : [])))
    const key = JSON.stringify(labels)
    const group = groups.get(key)
    if (group) group.members.push(item)
    else groups.set(key, { labels, members: [item] })
  }
  return [...groups.values()]
}

export function reduced(values: readonly number[], how: MetricSource['sum']): number {
  if (how === 'count') return values.length
  if (how === 'max') return Math.max(...values)
  return values.reduce((sum, value) => sum + value, 0)
}

/** Samples of one source under the name that the history has them under. */
export function renamed(samples: readonly Sample[], { metric, sum, by }: MetricSource, name: string): Sample[] {
  const own = samples.filter((sample) => sample.metric === metric)
  return groupedBy(own, [...new Set([...by, 'server', 'instance'])]).map(({ labels, members }) => ({
    metric: name,
    labels,
    value: reduced(
      members.map(({ value }) => value),
      sum,
    ),
  }))
}
