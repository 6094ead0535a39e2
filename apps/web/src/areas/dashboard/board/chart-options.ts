import type { WidgetUnit } from '@stowage/contract/admin/dashboard-widgets'
import type uPlot from 'uplot'
import { formatCount, inLanguage } from '../../../lib/text/locale.ts'
import { sizeRange, sizeTicks, tickInterval } from './chart-ticks.ts'
import { formatTick } from './widget-units.ts'

/** The number of colours; further lines repeat them, dashed. */
export const LINE_COLOR_COUNT = 9
/** Lines from this index on are dashed, so that they can be told apart without colour. */
const DASHED_FROM = 5

/** Returns the style of the n-th line, counted from 0. */
export function lineStyle(n: number): { color: string; dash: number[] | undefined } {
  return { color: `var(--st-chart-${(n % LINE_COLOR_COUNT) + 1})`, dash: n >= DASHED_FROM ? [6, 3] : undefined }
}

interface ChartParts {
  width: number
  height: number
  names: readonly string[]
  unit: WidgetUnit
  fromZero: boolean
  start: number
  end: number
  /** Called with the index of the value under the cursor. */
  onIndex: (index: number | null) => void
}

const DAY = 86_400
/** The width of the value axis, and of a digit of its labels (px). */
const AXIS = 62
const DIGIT = 6.2

const axisWidth = (labels: readonly string[] | null) =>
  Math.max(AXIS, ...(labels ?? []).map((label) => Math.ceil(label.length * DIGIT) + 6))

const hours = inLanguage(
  (language) => new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
)
const days = inLanguage((language) => new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' }))
const months = inLanguage((language) => new Intl.DateTimeFormat(language, { month: 'short', year: 'numeric' }))

function timeText(seconds: number, range: number): string {
  const format = range <= DAY ? hours() : range <= 90 * DAY ? days() : months()
  return format.format(new Date(seconds * 1000))
}

/** @param host the element whose colours and font are used */
export function chartOptions(host: HTMLElement, parts: ChartParts): uPlot.Options {
  const { width, height, names, unit, fromZero, start, end, onIndex } = parts
  const styles = getComputedStyle(host)
  const color = (name: string) => styles.getPropertyValue(name).trim()
  const ink = color('--st-ink-3')
  const font = `11px ${styles.fontFamily}`
  const isSize = unit.startsWith('bytes')
  const space = Math.max(24, (height - 24) / 4)
  return {
    width,
    height,
    padding: [8, 20, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 6 },
      sync: { key: 'dashboard', setSeries: false },
    },
    scales: {
      x: { range: [start, end] },
      y: { range: (_, least, most) => valueRange(least, most, fromZero, isSize) },
    },
    series: [
      {},
      ...names.map((label, n): uPlot.Series => {
        const { dash } = lineStyle(n)
        const stroke = color(`--st-chart-${(n % LINE_COLOR_COUNT) + 1}`)
        return {
          label,
          stroke,
          width: 1.5,
          points: { show: false, size: 4, filter: isolatedPoints },
          ...(dash ? { dash } : {}),
        }
      }),
    ],
    axes: [
      {
        stroke: ink,
        font,
        size: 24,
        gap: 4,
        grid: { show: false },
        ticks: { show: false },
        splits: ({ data: [times] }) =>
          spacedTimes(times, tickInterval(width), start, end, maxTimeLabels(width - AXIS, end - start)),
        values: (_, splits) => splits.map((seconds) => timeText(seconds, end - start)),
      },
      {
        stroke: ink,
        font,
        size: (_, labels) => axisWidth(labels),
        gap: 6,
        grid: { stroke: color('--st-line'), width: 1 },
        ticks: { show: false },
        space,
        ...(isSize
          ? sizeAxis(Math.max(2, Math.floor((height - 24) / space)))
          : { values: (_, splits) => tickLabels(splits) }),
      },
    ],
    hooks: { setCursor: [({ cursor: { idx, event } }) => onIndex(event ? (idx ?? null) : null)] },
  }
}

/** Values and labels of an axis of sizes. */
function sizeAxis(count: number): Pick<uPlot.Axis, 'splits' | 'values'> {
  let shown: { value: number; label: string }[] = []
  return {
    splits: (_, _axis, least, most) => {
      shown = sizeTicks(least, most, count)
      return shown.map(({ value }) => value)
    },
    values: (_, splits) => splits.map((split) => shown.find(({ value }) => value === split)?.label ?? ''),
  }
}

/** Formats axis labels. Values whose short form is the same are written in full. */
function tickLabels(splits: readonly number[]): string[] {
  const short = splits.map((value) => formatTick(value))
  return new Set(short).size === short.length ? short : splits.map(formatCount)
}

function valueRange(least: number, most: number, fromZero: boolean, isSize: boolean): [number, number] {
  if (fromZero) return [0, most > 0 ? most * 1.1 : 1]
  if (isSize) return sizeRange(least, most)
  const room = (most - least) * 0.1 || Math.abs(most) * 0.05 || 1
  return [Math.max(0, least - room), most + room]
}

/** Returns how many labels of the time axis fit side by side. Dates are longer than times. */
const maxTimeLabels = (width: number, range: number) => Math.max(2, Math.floor(width / (range <= DAY ? 40 : 56)))

/**
 * Returns equally spaced times over the whole range, because a recently started history has few values.
 * @param most the greatest number of times between `start` and `end`
 */
export function spacedTimes(
  times: ArrayLike<number>,
  interval: number,
  start: number,
  end: number,
  most: number,
): number[] {
  const step = times.length > 1 ? (times[1] as number) - (times[0] as number) : 0
  const count = step > 0 ? Math.max(times.length, Math.floor((end - start) / step)) : 60
  const apart = Math.max(((end - start) / count) * (interval + 1), (end - start) / most)
  const moments: number[] = []
  for (let time = start; time <= end; time += apart) moments.push(time)
  return moments
}

/** Returns the values between two gaps, which no line shows. */
function isolatedPoints({ data }: uPlot, series: number): number[] {
  return isolatedIndices(data[series] ?? [])
}

/** Returns the indices of values without a neighbour. */
export function isolatedIndices(values: ArrayLike<number | null | undefined>): number[] {
  return Array.from(values, (value, i) =>
    value != null && values[i - 1] == null && values[i + 1] == null ? i : -1,
  ).filter((i) => i >= 0)
}
