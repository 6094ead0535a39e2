import { formatSizeParts as partsOf, type SizeUnit } from '@stowage/contract'
import { t } from './i18n.ts'
import { inLanguage } from './locale.ts'

export { formatCount } from './locale.ts'

/* What the specification fixes is the same in every language: units of sizes, dates, seconds of nanoseconds. */

/** A size in bytes as value and unit: one decimal under 10 and above bytes, otherwise none. */
export function formatSizeParts(bytes: number): { value: string; unit: SizeUnit } {
  const { value, unit } = partsOf(bytes)
  return { value: (value.includes('.') ? oneDecimal() : ungrouped()).format(Number(value)), unit }
}

const ungrouped = inLanguage((language) => new Intl.NumberFormat(language, { useGrouping: false }))
const decimals = (digits: number) =>
  inLanguage(
    (language) => new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  )
const oneDecimal = decimals(1)

/** A size in bytes: `14 TiB`, `9.6 TiB`, `512 B`. */
export function formatSize(bytes: number): string {
  const { value, unit } = formatSizeParts(bytes)
  return `${value} ${unit}`
}

const inUnit = (unit: string, unitDisplay: 'long' | 'short') =>
  inLanguage(
    (language) => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 0 }),
  )
const wholeBytes = inUnit('byte', 'long')

/** Exact bytes, where a size is stored or edited: `21,990,232,555,520 bytes`. */
export function formatBytes(n: number): string {
  return wholeBytes().format(n)
}

const wholePercent = inLanguage((language) => new Intl.NumberFormat(language, { style: 'percent' }))

/** A share of 1 as whole percent; never 100 before it is full, never 0 when there is something. */
export function formatPercent(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 1) return `<${wholePercent().format(0.01)}`
  return wholePercent().format((percent < 100 ? Math.min(99, Math.round(percent)) : Math.floor(percent)) / 100)
}

/** A share as value and unit: `93` and `%`. */
export function formatPercentParts(share: number): { value: string; unit: string } {
  const text = formatPercent(share)
  const value = /[\d<][\d.,\s]*/.exec(text)?.[0].trim() ?? text
  return { value, unit: text.replace(value, '').trim() }
}

const two = (n: number) => String(n).padStart(2, '0')

/** Accepts what the wire has: RFC 3339 text, epoch seconds, or a Date. */
export type Moment = string | number | Date

export function toDate(moment: Moment): Date {
  return moment instanceof Date ? moment : new Date(typeof moment === 'number' ? moment * 1000 : moment)
}

/** `2026-11-19`, in the reader's time zone; an en dash for no date. */
export function formatDate(moment: Moment): string {
  const d = toDate(moment)
  return isNone(d) ? '–' : `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`
}

/** `2026-11-19 16:42:08`, in the reader's time zone; an en dash for no date. */
export function formatDateTime(moment: Moment): string {
  const d = toDate(moment)
  return isNone(d) ? '–' : `${formatDate(d)} ${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`
}

/** The same with the zone: `2026-11-19 16:42:08 GMT+01:00`. */
export function formatMoment(moment: Moment): string {
  const d = toDate(moment)
  return isNone(d) ? '–' : `${formatDateTime(d)} ${zoneOf(d)}`
}

const withZone = new Intl.DateTimeFormat('en', { timeZoneName: 'longOffset' })
const zoneOf = (d: Date) => withZone.formatToParts(d).find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** The wire writes "no date" as the year 1, in any zone; a text that is no date counts the same. */
function isNone(d: Date): boolean {
  return Number.isNaN(d.getTime()) || d.getUTCFullYear() < 1902
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const long = {
  years: inUnit('year', 'long'),
  months: inUnit('month', 'long'),
  weeks: inUnit('week', 'long'),
  days: inUnit('day', 'long'),
  hours: inUnit('hour', 'long'),
  minutes: inUnit('minute', 'long'),
  seconds: inUnit('second', 'long'),
}
const say = (n: number, unit: keyof typeof long) => long[unit]().format(Math.floor(n))
const unitList = inLanguage((language) => new Intl.ListFormat(language, { type: 'unit', style: 'long' }))

/**
 * A length of time, in seconds: over 365 days years; over 30 days months and days; 7 to 30 days weeks; 1 to 6 days days;
 * otherwise hours, minutes or seconds.
 */
export function formatDuration(seconds: number): string {
  const days = Math.floor(seconds / DAY)
  if (days > 365) return say(days / 365, 'years')
  if (days > 30) {
    const months = say(days / 30, 'months')
    return days % 30 > 0 ? unitList().format([months, say(days % 30, 'days')]) : months
  }
  if (days >= 7) return say(days / 7, 'weeks')
  if (days >= 1) return say(days, 'days')
  if (seconds >= HOUR) return say(seconds / HOUR, 'hours')
  if (seconds >= MINUTE) return say(seconds / MINUTE, 'minutes')
  return say(seconds, 'seconds')
}

const fourDecimals = decimals(4)

/** A time in nanoseconds, in seconds with four decimals. */
export function formatNanoseconds(ns: number): string {
  return `${fourDecimals().format(ns / 1e9)} s`
}

const relative = inLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: 'always' }))

/** How long ago, for the age of a value: `just now`, `2 minutes ago`, `3 hours ago`, `5 days ago`. */
export function formatAge(moment: Moment, now = Date.now()): string {
  const seconds = Math.max(0, (now - toDate(moment).getTime()) / 1000)
  if (seconds < MINUTE) return t('just now')
  if (seconds < HOUR) return relative().format(-Math.floor(seconds / MINUTE), 'minute')
  if (seconds < DAY) return relative().format(-Math.floor(seconds / HOUR), 'hour')
  const days = Math.floor(seconds / DAY)
  if (days > 365) return relative().format(-Math.floor(days / 365), 'year')
  if (days > 30) return relative().format(-Math.floor(days / 30), 'month')
  return relative().format(-days, 'day')
}

const short = { second: inUnit('second', 'short'), minute: inUnit('minute', 'short'), hour: inUnit('hour', 'short') }

/** Time left of a transfer, in seconds: `40 sec left`, `5 min left`, `2 hr left`. */
export function formatLeft(seconds: number): string {
  const [n, unit] =
    seconds < MINUTE
      ? ([Math.ceil(seconds), 'second'] as const)
      : seconds < HOUR
        ? ([Math.round(seconds / MINUTE), 'minute'] as const)
        : ([Math.round(seconds / HOUR), 'hour'] as const)
  return t('{{time}} left', { time: short[unit]().format(n) })
}

/** Bytes per second: `138 MiB/s`. */
export function formatRate(bytesPerSecond: number): string {
  return t('{{size}}/s', { size: formatSize(bytesPerSecond) })
}

/** Figures that belong together: `52 of 86 GiB, 112 MiB/s`. */
export function formatUnits(texts: readonly string[]): string {
  return unitList().format(texts)
}

const lists = inLanguage((language) => new Intl.ListFormat(language, { type: 'conjunction' }))

/** `media, logs, and backup` */
export function formatList(texts: readonly string[]): string {
  return lists().format(texts)
}
