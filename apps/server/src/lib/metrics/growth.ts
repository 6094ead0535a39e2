const DAY = 86_400
/** A forecast uses the rate of this many days, and needs values of this many of them. */
const FORECAST_DAYS = 30
const MIN_DAYS = 7

/** The size of a bucket at the end of a day. */
export interface DailySize {
  /** Seconds since 1970. */
  time: number
  /** Bytes. */
  size: number
}

export interface SizeGrowth {
  /** Bytes; null where the history does not go back so far. */
  days7: number | null
  days30: number | null
  days90: number | null
}

export type SizeForecast =
  | { state: 'growing' /** Until the limit is reached at the rate of the last 30 days. */; seconds: number }
  | { state: 'full' }
  /** It is flat or shrinks. */
  | { state: 'not-growing' }
  | { state: 'too-short' }

interface SizeHistory {
  /** In the order of their times. */
  values: readonly DailySize[]
  /** Seconds since 1970; 0: not known. Before that there was nothing. */
  createdAt: number
  now: number
}

export function computeGrowth(sized: SizeHistory): SizeGrowth {
  return { days7: growthIn(7, sized), days30: growthIn(30, sized), days90: growthIn(90, sized) }
}

function growthIn(days: number, { values, createdAt, now }: SizeHistory): number | null {
  const last = values.at(-1)
  if (!last) return null
  const from = now - days * DAY
  if (createdAt > from) return last.size
  // A row of a day is at its end, so the nearest before may be almost two days away.
  const first = values.findLast(({ time }) => time <= from)
  return first && from - first.time < 2 * DAY ? last.size - first.size : null
}

/** When a limit will be reached, if it goes on as in the last 30 days. @param limit bytes */
export function forecastSize({ values, now }: Omit<SizeHistory, 'createdAt'>, limit: number): SizeForecast {
  const last = values.at(-1)
  if (!last) return { state: 'too-short' }
  if (last.size >= limit) return { state: 'full' }
  const recent = lastValuePerDay(values.filter(({ time }) => time >= now - FORECAST_DAYS * DAY))
  if (recent.length < MIN_DAYS) return { state: 'too-short' }
  const slope = theilSen(recent)
  return slope > 0 ? { state: 'growing', seconds: Math.round((limit - last.size) / slope) } : { state: 'not-growing' }
}

/** The last value of each day. */
function lastValuePerDay(values: readonly DailySize[]): DailySize[] {
  return [...new Map(values.map((value) => [Math.ceil(value.time / DAY), value])).values()]
}

/** The median of the slopes of all pairs: a single upload or deletion does not bend it. */
export function theilSen(values: readonly DailySize[]): number {
  const slopes = values.flatMap((a, i) =>
    values.slice(i + 1).flatMap((b) => (b.time > a.time ? [(b.size - a.size) / (b.time - a.time)] : [])),
  )
  slopes.sort((a, b) => a - b)
  const middle = slopes.length >> 1
  const upper = slopes[middle] ?? 0
  return slopes.length % 2 === 1 ? upper : ((slopes[middle - 1] ?? 0) + upper) / 2
}
