import type { MetricSource, Target } from './widgets.ts'

/** What every selector carries besides the metric's name. */
export interface Selection {
  job: string
  extraLabels: Readonly<Record<string, string>>
}

/** The question of a target in Prometheus' language. @param windowSeconds what a rate is taken over */
export function promqlOf(target: Target, selection: Selection, windowSeconds: number): string {
  const [first, ...others] = target.from
  const expressionOf = (source: MetricSource) => {
    const expression = sourceOf(source, target, selection, windowSeconds)
    return target.compute === 'since' ? `time() - ${expression}` : expression
  }
  return others.reduce(
    (query, source) => `${query} ${orOf(first.by, source.by)} ${expressionOf(source)}`,
    expressionOf(first),
  )
}

/** Series whose labels have other names would stand beside those that they are the same as. */
function orOf(by: readonly string[], others: readonly string[]): string {
  const common = by.filter((name) => others.includes(name))
  return common.length === by.length ? 'or' : `or on (${common.join(', ')})`
}

function sourceOf(
  { metric, sum, by, once }: MetricSource,
  { compute }: Target,
  selection: Selection,
  windowSeconds: number,
): string {
  const selector = `${metric}${selectorOf(selection)}`
  const series = compute === 'rate' ? `rate(${selector}[${windowSeconds}s])` : selector
  if (!once) return aggregated(sum, by, series)
  // Each server that is scraped reports all buckets.
  return aggregated('max', by, aggregated(sum, [...by, 'instance'], series))
}

const aggregated = (how: string, by: readonly string[], series: string) =>
  by.length === 0 ? `${how}(${series})` : `${how} by (${by.join(', ')}) (${series})`

function selectorOf({ job, extraLabels }: Selection): string {
  const pairs = Object.entries({ job, ...extraLabels }).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return `{${pairs.join(', ')}}`
}
