import type { MetricSource, WidgetTarget } from './series/widget-definitions.ts'

/** Labels that every selector has in addition to the metric's name. */
export interface PrometheusSelector {
  job: string
  extraLabels: Readonly<Record<string, string>>
}

/** Returns the PromQL query of a target. @param windowSeconds window of a rate */
export function buildPromql(target: WidgetTarget, selection: PrometheusSelector, windowSeconds: number): string {
  const [first, ...others] = target.from
  const buildExpression = (source: MetricSource) => {
    const expression = buildSource(source, target, selection, windowSeconds)
    return target.compute === 'since' ? `time() - ${expression}` : expression
  }
  return others.reduce(
    (query, source) => `${query} ${joinOperator(first.by, source.by)} ${buildExpression(source)}`,
    buildExpression(first),
  )
}

/**
 * Returns the operator that joins two sources. Series whose labels have other names would otherwise appear next to the same
 * series.
 */
function joinOperator(by: readonly string[], others: readonly string[]): string {
  const common = by.filter((name) => others.includes(name))
  return common.length === by.length ? 'or' : `or on (${common.join(', ')})`
}

function buildSource(
  { metric, sum, by, once }: MetricSource,
  { compute }: WidgetTarget,
  selection: PrometheusSelector,
  windowSeconds: number,
): string {
  const selector = `${metric}${buildSelector(selection)}`
  const series = compute === 'rate' ? `rate(${selector}[${windowSeconds}s])` : selector
  if (!once) return buildAggregation(sum, by, series)
  // Every scraped server reports all buckets.
  return buildAggregation('max', by, buildAggregation(sum, [...by, 'instance'], series))
}

const buildAggregation = (how: string, by: readonly string[], series: string) =>
  by.length === 0 ? `${how}(${series})` : `${how} by (${by.join(', ')}) (${series})`

function buildSelector({ job, extraLabels }: PrometheusSelector): string {
  const pairs = Object.entries({ job, ...extraLabels }).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return `{${pairs.join(', ')}}`
}
