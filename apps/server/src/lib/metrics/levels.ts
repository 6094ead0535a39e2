/** A resolution of the history. Times in seconds. */
export interface Level {
  name: string
  /** Interval of rows; 0: as sampled. */
  step: number
  /** Duration of one segment. */
  span: number
  keep: number
}

const HOUR = 3600
const DAY = 24 * HOUR

/** Finest first. */
export const LEVELS: readonly [Level, ...Level[]] = [
  { name: 'raw', step: 0, span: HOUR, keep: DAY },
  { name: '5m', step: 300, span: DAY, keep: 30 * DAY },
  { name: '1h', step: HOUR, span: 30 * DAY, keep: 400 * DAY },
]

/** Returns the coarsest level that is as fine as `step` and goes back to `from`. */
export function levelFor(from: number, step: number, now: number): Level {
  const fine = LEVELS.findLastIndex((level) => level.step <= step)
  return LEVELS.slice(fine).find(({ keep }) => from >= now - keep) ?? (LEVELS.at(-1) as Level)
}
