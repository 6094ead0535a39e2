/** A resolution of the history. Times in seconds. */
export interface HistoryLevel {
  name: string
  /** Interval of rows; 0: as sampled. */
  step: number
  /** Duration of one segment. */
  span: number
  keep: number
}

const HOUR = 3600
const DAY = 24 * HOUR

/** The levels of the widgets' metrics, finest first. */
export const WIDGET_LEVELS: readonly [HistoryLevel, ...HistoryLevel[]] = [
  { name: 'raw', step: 0, span: HOUR, keep: DAY },
  { name: '5m', step: 300, span: DAY, keep: 30 * DAY },
  { name: '1h', step: HOUR, span: 30 * DAY, keep: 400 * DAY },
  // A chart of a year has 60 values: reading all hours for it would take most of its time.
  { name: '1d', step: DAY, span: 100 * DAY, keep: 400 * DAY },
]

/** The levels of the usage of buckets, which are many and change slowly. The samples are only needed after a restart. */
export const BUCKET_LEVELS: readonly [HistoryLevel, ...HistoryLevel[]] = [
  { name: 'raw', step: 0, span: HOUR, keep: 2 * HOUR },
  { name: '1h', step: HOUR, span: 2 * DAY, keep: 90 * DAY },
  { name: '1d', step: DAY, span: 30 * DAY, keep: 5 * 365 * DAY },
]

/** Returns the coarsest level that is at least as fine as `step` and goes back to `from`. */
export function chooseLevel(levels: readonly HistoryLevel[], from: number, step: number, now: number): HistoryLevel {
  const fine = levels.findLastIndex((level) => level.step <= step)
  return levels.slice(fine).find(({ keep }) => from >= now - keep) ?? (levels.at(-1) as HistoryLevel)
}
