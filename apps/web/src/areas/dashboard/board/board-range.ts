import { useMemo, useState } from 'react'
import { replaceSearch, useSearchParam } from '../../../lib/navigation/navigate.ts'
import { listStep, widgetStep } from './chart-ticks.ts'

/** The quick ranges that the URL may contain (seconds). */
export const QUICK_RANGES = [3600, 6 * 3600, 86_400, 7 * 86_400, 30 * 86_400, 365 * 86_400] as const
/** The range that the server uses by default (seconds). */
const DEFAULT_RANGE = 900

export interface BoardRange {
  /** Seconds since 1970, by the server's clock. */
  start: number
  end: number
  /** The quick range; undefined for a start and end time or the server's default. */
  last: number | undefined
  /** Whether the range ends at the present, so that new values are added to it. */
  isLive: boolean
  widgetQuery: { step: number; start?: number; end?: number }
  listQuery: { step: number; start?: number; end?: number }
  /** Moves a live range to the present. */
  sync: () => void
}

/** Returns the range from the URL: `start` and `end`, or `last`; otherwise the server's default. */
export function useBoardRange(clockOffset: number): BoardRange {
  const [start] = useSearchParam('start')
  const [end] = useSearchParam('end')
  const [last] = useSearchParam('last')
  const [at, setAt] = useState(() => Date.now() / 1000)
  return useMemo(() => {
    const now = Math.floor(at + clockOffset)
    const sync = () => setAt(Date.now() / 1000)
    const fixed = { start: Number(start), end: Number(end) }
    if (start && end && fixed.start >= 0 && fixed.end > fixed.start)
      return { ...rangeQueries(fixed), ...fixed, last: undefined, isLive: false, sync }
    const quick = QUICK_RANGES.find((seconds) => String(seconds) === last)
    if (quick === undefined) {
      const [widgetQuery, listQuery] = [{ step: widgetStep(undefined) }, { step: listStep(undefined) }]
      return { widgetQuery, listQuery, start: now - DEFAULT_RANGE, end: now, last: undefined, isLive: true, sync }
    }
    const live = { start: now - quick, end: now }
    return { ...rangeQueries(live), ...live, last: quick, isLive: true, sync }
  }, [start, end, last, at, clockOffset])
}

function rangeQueries(range: { start: number; end: number }) {
  const seconds = range.end - range.start
  return { widgetQuery: { step: widgetStep(seconds), ...range }, listQuery: { step: listStep(seconds), ...range } }
}

export const showTimeRange = (start: number, end: number) =>
  replaceSearch({ start: String(Math.floor(start)), end: String(Math.floor(end)), last: undefined })

export const showQuickRange = (seconds: number | undefined) =>
  replaceSearch({ last: seconds === undefined ? undefined : String(seconds), start: undefined, end: undefined })
