import type { MetricSource, Target } from './widgets.ts'

/** Labels that every selector has in addition to the metric's name. */
export interface Selection {
  job: string
  extraLabels: Readonly<Record<string, string>>
}

/** Returns the PromQL query of a target. @param windowSeconds window of a rate */
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

/**
 * Returns the operator that joins two sources. Series whose labels have other names would otherwise appear next to the same
 * series.
 */
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
  // Every scraped server reports all buckets.
  return aggregated('max', by, aggregated(sum, [...by, 'instance'], series))
}

const aggregated = (how: string, by: readonly string[], series: string) =>
  by.length === 0 ? `${how}(${series})` : `${how} by (${by.join(', ')}) (${series})`

function selectorOf({ job, extraLabels }: Selection): string {
  const pairs = Object.entries({ job, ...extraLabels }).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return `{${pairs.join(', ')}}`
}
