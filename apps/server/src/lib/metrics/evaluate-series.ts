import type { HistorySeries, MetricsHistory } from './history/history.ts'
import type { RowReading } from './history/history-rows.ts'
import { combineValues, groupByLabels } from './series/aggregate.ts'
import type { ComputeMode, WidgetTarget } from './series/widget-definitions.ts'

/** Time range of a chart: seconds since 1970; the step in seconds. */
export interface SeriesRange {
  start: number
  end: number
  step: number
}

/** A series of an answer, in the format of Prometheus. */
export interface SeriesResult {
  metric: Record<string, string>
  values: [time: number, value: string][]
}

/** Minimum window of a rate (seconds). */
export const RATE_WINDOW = 240

const READINGS: Readonly<Record<ComputeMode, RowReading>> = { value: 'value', since: 'last', rate: 'increase' }

/** Returns a target's values from our own history, at the times at which Prometheus would compute them. */
export async function evaluateTarget(
  target: WidgetTarget,
  history: MetricsHistory,
  range: SeriesRange,
): Promise<SeriesResult[]> {
  const { compute, from } = target
  const [{ metric, sum, by }] = from
  const reach = Math.max(RATE_WINDOW, range.step)
  const { series, step } = await history.read(metric, READINGS[compute], {
    ...range,
    from: range.start - reach,
    to: range.end,
  })
  const moments: number[] = []
  for (let time = range.start; time <= range.end; time += step) moments.push(time)
  const window = compute === 'rate' ? Math.max(RATE_WINDOW, step) : Math.max(step, history.reach)
  return groupByLabels(series, by)
    .map(({ labels, members }) => ({ metric: labels, values: evaluateMoments(members, moments, window, compute, sum) }))
    .filter(({ values }) => values.length > 0)
}

function evaluateMoments(
  members: readonly HistorySeries[],
  moments: readonly number[],
  window: number,
  compute: ComputeMode,
  sum: Parameters<typeof combineValues>[1],
): SeriesResult['values'] {
  const all = members.map((series) => (compute === 'rate' ? rates : latestValues)(series, moments, window))
  return moments.flatMap((time, i): SeriesResult['values'] => {
    const values = all.map((each) => each[i] ?? Number.NaN).filter((value) => !Number.isNaN(value))
    if (values.length === 0) return []
    const value = combineValues(values, sum)
    return [[time, String(compute === 'since' ? time - value : value)]]
  })
}

/** Returns the last value in the window that ends at each moment; NaN for none. */
function latestValues({ times, values }: HistorySeries, moments: readonly number[], window: number): number[] {
  let next = 0
  return moments.map((moment) => {
    while (next < times.length && (times[next] ?? 0) <= moment) next++
    return next > 0 && (times[next - 1] ?? 0) > moment - window ? (values[next - 1] ?? Number.NaN) : Number.NaN
  })
}

/** Returns the increase per second in the window that ends at each moment; NaN if it is unknown. */
function rates({ times, values, seconds }: HistorySeries, moments: readonly number[], window: number): number[] {
  const [increaseTo, secondsTo] = [prefixSums(values), prefixSums(seconds)]
  let first = 0
  let next = 0
  return moments.map((moment) => {
    while (next < times.length && (times[next] ?? 0) <= moment) next++
    while (first < next && (times[first] ?? 0) <= moment - window) first++
    const covered = (secondsTo[next] ?? 0) - (secondsTo[first] ?? 0)
    return covered === 0 ? Number.NaN : ((increaseTo[next] ?? 0) - (increaseTo[first] ?? 0)) / covered
  })
}

/** Returns the sum of the first n values, for each n. */
function prefixSums(values: readonly number[]): Float64Array {
  const sums = new Float64Array(values.length + 1)
  for (let i = 0; i < values.length; i++) sums[i + 1] = (sums[i] ?? 0) + (values[i] ?? 0)
  return sums
}
