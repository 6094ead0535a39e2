import type { TraceRow } from './trace-rows.ts'

/** Figures of one call, or of all calls. */
export interface CallFigures {
  /** The name without prefix: `PutObject`. Empty for all calls. */
  name: string
  perSecond: number
  p50Ns: number
  p99Ns: number
  /** The ratio of responses with status 400 or higher, 0 to 1. */
  errors: number
}

/** The figures include calls that ended within this time (ms). */
const MEASURED_MS = 10_000

/**
 * Returns rate, durations and errors of all calls and of the most frequent ones.
 * @param rows newest first
 * @param now the end of the measured time: the current time while a trace runs, otherwise that of the newest record
 */
export function callFigures(rows: readonly TraceRow[], now: number, most = 4): CallFigures[] {
  const from = now - MEASURED_MS
  const groups = new Map<string, { durations: number[]; errors: number }>()
  const all = { durations: [] as number[], errors: 0 }
  let first = now
  for (const { message } of rows) {
    if (!message || (message.kind !== 's3' && message.kind !== 'internal')) continue
    const at = Date.parse(message.time)
    if (!(at >= from)) break
    first = Math.min(first, at)
    const name = message.api.slice(message.api.indexOf('.') + 1)
    const group = groups.get(name) ?? { durations: [], errors: 0 }
    groups.set(name, group)
    for (const each of [group, all]) {
      each.durations.push(message.durationNs)
      if (message.statusCode >= 400) each.errors++
    }
  }
  // A trace that has just started has not run for ten seconds.
  const seconds = Math.max(1, (now - first) / 1000)
  const figures = (name: string, { durations, errors }: typeof all): CallFigures => {
    const sorted = durations.sort((a, b) => a - b)
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
    return {
      name,
      perSecond: sorted.length / seconds,
      p50Ns: at(0.5),
      p99Ns: at(0.99),
      errors: errors / (sorted.length || 1),
    }
  }
  const busiest = [...groups].sort(([, a], [, b]) => b.durations.length - a.durations.length).slice(0, most)
  return [figures('', all), ...busiest.map(([name, group]) => figures(name, group))]
}
