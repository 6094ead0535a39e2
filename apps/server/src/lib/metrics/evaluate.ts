import { groupedBy, reduced } from './aggregate.ts'
import type { History, Series } from './history.ts'
import type { Point } from './rows.ts'
import type { Target } from './widgets.ts'

/** Time range of a chart: seconds since 1970; the step in seconds. */
export interface Range {
  start: number
  end: number
  step: number
}

/** A series of an answer, in the format of Prometheus. */
export interface Result {
  metric: Record<string, string>
  values: [time: number, value: string][]
}

/** Minimum window of a rate (seconds). */
export const RATE_WINDOW = 240

/** Returns a target's values from our own history, at the times at which Prometheus would compute them. */
export async function evaluate(target: Target, history: History, range: Range): Promise<Result[]> {
  const [{ metric, sum, by }] = target.from
  const reach = Math.max(RATE_WINDOW, range.step)
  const { series, step } = await history.read(metric, range.start - reach, range.end, range.step)
  const moments: number[] = []
  for (let time = range.start; time <= range.end; time += step) moments.push(time)
  const window = target.compute === 'rate' ? Math.max(RATE_WINDOW, step) : Math.max(step, history.reach)
  return groupedBy(series, by)
    .map(({ labels, members }) => ({ metric: labels, values: valuesOf(members, moments, window, target, sum) }))
    .filter(({ values }) => values.length > 0)
}

function valuesOf(
  members: readonly Series[],
  moments: readonly number[],
  window: number,
  { compute }: Target,
  sum: Parameters<typeof reduced>[1],
): Result['values'] {
  const windows = members.map(({ points }) => windowsOf(points, moments, window))
  return moments.flatMap((time, i): Result['values'] => {
    const values = windows.flatMap((each) => {
      const value = valueIn(each[i] ?? [], compute)
      return value === undefined ? [] : [value]
    })
    if (values.length === 0) return []
    const value = reduced(values, sum)
    return [[time, String(compute === 'since' ? time - value : value)]]
  })
}

/** Returns, for each time, the points of the window that ends there. */
function windowsOf(points: readonly Point[], moments: readonly number[], window: number): Point[][] {
  let first = 0
  let next = 0
  return moments.map((moment) => {
    while ((points[next]?.time ?? Number.POSITIVE_INFINITY) <= moment) next++
    while (first < next && (points[first]?.time ?? 0) <= moment - window) first++
    return points.slice(first, next)
  })
}

function valueIn(points: readonly Point[], compute: Target['compute']): number | undefined {
  if (compute !== 'rate') return points.at(-1)?.value
  const seconds = points.reduce((total, point) => total + point.seconds, 0)
  return seconds === 0 ? undefined : points.reduce((total, point) => total + point.increase, 0) / seconds
}
