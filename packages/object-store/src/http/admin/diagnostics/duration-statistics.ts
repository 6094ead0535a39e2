/** Statistics of durations, in nanoseconds, as clients of MinIO expect them. */
export interface DurationStatistics {
  avg: number
  p50: number
  p75: number
  p95: number
  p99: number
  p999: number
  /** Averages of the longest and of the shortest 5 %. */
  l5p: number
  s5p: number
  max: number
  min: number
  sdev: number
  range: number
}

/** @param durations ms, in any order */
export function durationStatistics(durations: readonly number[]): DurationStatistics {
  const sorted = [...durations].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  const average = (values: readonly number[]) =>
    values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
  const avg = average(sorted)
  const few = Math.max(1, Math.floor(sorted.length * 0.05))
  const [min, max] = [sorted[0] ?? 0, sorted.at(-1) ?? 0]
  return {
    avg: nanoseconds(avg),
    p50: nanoseconds(at(0.5)),
    p75: nanoseconds(at(0.75)),
    p95: nanoseconds(at(0.95)),
    p99: nanoseconds(at(0.99)),
    p999: nanoseconds(at(0.999)),
    l5p: nanoseconds(average(sorted.slice(-few))),
    s5p: nanoseconds(average(sorted.slice(0, few))),
    max: nanoseconds(max),
    min: nanoseconds(min),
    sdev: nanoseconds(Math.sqrt(average(sorted.map((value) => (value - avg) ** 2)))),
    range: nanoseconds(max - min),
  }
}

const nanoseconds = (ms: number) => Math.round(ms * 1e6)
