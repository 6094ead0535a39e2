import { sizeUnits } from '@stowage/contract'
import { inLanguage } from '../../../lib/text/locale.ts'

/** Returns the number of points between two labels of a chart's time axis, by its width (px). */
export function tickInterval(width: number): number {
  if (width > 400) return 5
  if (width > 350) return 10
  if (width > 300) return 15
  return width > 250 ? 20 : 30
}

/** Returns the step for a range (both in seconds): a sixtieth of it; 15 for less than a minute or without a range. */
export function widgetStep(range: number | undefined): number {
  const step = Math.floor((range ?? 0) / 60)
  return step < 1 ? 15 : step
}

/** Returns the step for the list of widgets: as above, but 0 without a range. */
export function listStep(range: number | undefined): number {
  return range === undefined ? 0 : widgetStep(range)
}

/** The range of values on an axis of sizes is at least this part of its highest value, so that labels stay short. */
const LEAST_RANGE = 1 / 1000

/** A value that is this part of a step outside the range is shown: only floating point put it there. */
const ROUNDING = 1e-6

/** Returns the range of an axis of sizes that shows these values (bytes). */
export function sizeRange(least: number, most: number): [number, number] {
  const range = Math.max(most - least, most * LEAST_RANGE, 4)
  const middle = (least + most) / 2
  const low = Math.max(0, middle - range * 0.6)
  return [low, Math.max(middle + range * 0.6, low + range)]
}

const decimals = (digits: number) =>
  inLanguage((language) => {
    const format = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false }
    return new Intl.NumberFormat(language, format)
  })
const formats = Array.from({ length: 7 }, (_, digits) => decimals(digits))

/**
 * Returns at most `count` values for an axis of sizes, and their labels. All labels have the unit of the highest value and
 * the same number of decimals. Steps are a power of two of that unit, or 0.5, 0.25, 0.2, 0.1, 0.05 ….
 * @param least and `most`: the range of the axis (bytes)
 */
export function sizeTicks(least: number, most: number, count: number): { value: number; label: string }[] {
  const power = Math.max(0, Math.min(sizeUnits.length - 1, Math.floor(Math.log2(Math.max(1, most)) / 10)))
  const unit = 1024 ** power
  const { step, digits } = roundStep((most - least) / unit / count, power === 0)
  const first = Math.ceil(least / unit / step - ROUNDING)
  const last = Math.floor(most / unit / step + ROUNDING)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => {
    const figure = (first + n) * step
    const format = formats[digits] ?? decimals(digits)
    return { value: figure * unit, label: figure === 0 ? '0' : `${format().format(figure)} ${sizeUnits[power]}` }
  })
}

/** Returns the smallest round step that is not below `least`, and the number of its decimals. Each is at most twice the last. */
function roundStep(least: number, whole: boolean): { step: number; digits: number } {
  if (whole || least > 0.5) return { step: 2 ** Math.max(0, Math.ceil(Math.log2(least))), digits: 0 }
  const digits = Math.max(1, Math.ceil(-Math.log10(least)))
  const figure = [1, 2, 2.5, 5].find((candidate) => candidate / 10 ** digits >= least)
  if (figure === undefined) return { step: 10 / 10 ** digits, digits: digits - 1 }
  return { step: figure / 10 ** digits, digits: figure === 2.5 ? digits + 1 : digits }
}
