import { formatSizeParts as partsOf, type SizeUnit } from '@stowage/contract'
import { t } from './i18n.ts'
import { inLanguage } from './locale.ts'

export { formatCount } from './locale.ts'

/* Formats from the specification are the same in every language: units of sizes, dates, seconds of nanoseconds. */

/** Splits a size in bytes into value and unit. Below 10 (except for bytes) the value has one decimal, otherwise none. */
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

/** Formats a size in bytes: `14 TiB`, `9.6 TiB`, `512 B`. */
export function formatSize(bytes: number): string {
  const { value, unit } = formatSizeParts(bytes)
  return `${value} ${unit}`
}

const inUnit = (unit: string, unitDisplay: 'long' | 'short') =>
  inLanguage(
    (language) => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 0 }),
  )
const wholeBytes = inUnit('byte', 'long')

/** Formats exact bytes, for a size that is stored or edited: `21,990,232,555,520 bytes`. */
export function formatBytes(n: number): string {
  return wholeBytes().format(n)
}

const wholePercent = inLanguage((language) => new Intl.NumberFormat(language, { style: 'percent' }))

/** Formats a ratio (0 to 1) as whole percent. Never 100 % below 1, and never 0 % above 0. */
export function formatPercent(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 1) return `<${wholePercent().format(0.01)}`
  return wholePercent().format((percent < 100 ? Math.min(99, Math.round(percent)) : Math.floor(percent)) / 100)
}

/** Splits a ratio into value and unit: `93` and `%`. */
export function formatPercentParts(share: number): { value: string; unit: string } {
  const text = formatPercent(share)
  const value = /[\d<][\d.,\s]*/.exec(text)?.[0].trim() ?? text
  return { value, unit: text.replace(value, '').trim() }
}

const twoDigits = (n: number) => String(n).padStart(2, '0')

/** A time in one of the formats of the API: RFC 3339 text, seconds since 1970, or a Date. */
export type TimeValue = string | number | Date

export function toDate(moment: TimeValue): Date {
  // A day without a time is that day in every zone; `Date` would take midnight in UTC, the day before in America.
  if (typeof moment === 'string' && /^\d{4}-\d\d-\d\d$/.test(moment)) return new Date(`${moment}T00:00:00`)
  return moment instanceof Date ? moment : new Date(typeof moment === 'number' ? moment * 1000 : moment)
}

/** Formats a date in the user's time zone: `2026-11-19`. An en dash stands for no date. */
export function formatDate(moment: TimeValue): string {
  const d = toDate(moment)
  return isNoDate(d) ? '–' : `${d.getFullYear()}-${twoDigits(d.getMonth() + 1)}-${twoDigits(d.getDate())}`
}

/** Formats date and time in the user's time zone: `2026-11-19 16:42:08`. An en dash stands for no date. */
export function formatDateTime(moment: TimeValue): string {
  const d = toDate(moment)
  return isNoDate(d)
    ? '–'
    : `${formatDate(d)} ${twoDigits(d.getHours())}:${twoDigits(d.getMinutes())}:${twoDigits(d.getSeconds())}`
}

/** Formats date, time and zone: `2026-11-19 16:42:08 GMT+01:00`. */
export function formatTimeWithZone(moment: TimeValue): string {
  const d = toDate(moment)
  return isNoDate(d) ? '–' : `${formatDateTime(d)} ${zoneName(d)}`
}

const withZone = new Intl.DateTimeFormat('en', { timeZoneName: 'longOffset' })
const zoneName = (d: Date) => withZone.formatToParts(d).find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** Reports whether there is no date. The API uses year 1 for that, in any zone; an invalid date is treated the same. */
function isNoDate(d: Date): boolean {
  return Number.isNaN(d.getTime()) || d.getUTCFullYear() < 1902
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const longUnits = {
  years: inUnit('year', 'long'),
  months: inUnit('month', 'long'),
  weeks: inUnit('week', 'long'),
  days: inUnit('day', 'long'),
  hours: inUnit('hour', 'long'),
  minutes: inUnit('minute', 'long'),
  seconds: inUnit('second', 'long'),
}
const formatLongUnit = (n: number, unit: keyof typeof longUnits) => longUnits[unit]().format(Math.floor(n))
const unitList = inLanguage((language) => new Intl.ListFormat(language, { type: 'unit', style: 'long' }))

/**
 * Formats a duration in seconds: over 365 days as years, over 30 days as months and days, from 7 days as weeks, from 1 day as
 * days, otherwise as hours, minutes or seconds.
 */
export function formatDuration(seconds: number): string {
  const days = Math.floor(seconds / DAY)
  if (days > 365) return formatLongUnit(days / 365, 'years')
  if (days > 30) {
    const months = formatLongUnit(days / 30, 'months')
    return days % 30 > 0 ? unitList().format([months, formatLongUnit(days % 30, 'days')]) : months
  }
  if (days >= 7) return formatLongUnit(days / 7, 'weeks')
  if (days >= 1) return formatLongUnit(days, 'days')
  if (seconds >= HOUR) return formatLongUnit(seconds / HOUR, 'hours')
  if (seconds >= MINUTE) return formatLongUnit(seconds / MINUTE, 'minutes')
  return formatLongUnit(seconds, 'seconds')
}

const fourDecimals = decimals(4)

/** Formats nanoseconds as seconds with four decimals. */
export function formatNanoseconds(ns: number): string {
  return `${fourDecimals().format(ns / 1e9)} s`
}

const relative = inLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: 'always' }))

/** Formats the age of a value: `just now`, `2 minutes ago`, `3 hours ago`, `5 days ago`. */
export function formatAge(moment: TimeValue, now = Date.now()): string {
  const seconds = Math.max(0, (now - toDate(moment).getTime()) / 1000)
  if (seconds < MINUTE) return t('just now')
  if (seconds < HOUR) return relative().format(-Math.floor(seconds / MINUTE), 'minute')
  if (seconds < DAY) return relative().format(-Math.floor(seconds / HOUR), 'hour')
  const days = Math.floor(seconds / DAY)
  if (days > 365) return relative().format(-Math.floor(days / 365), 'year')
  if (days > 30) return relative().format(-Math.floor(days / 30), 'month')
  return relative().format(-days, 'day')
}

const shortUnits = {
  second: inUnit('second', 'short'),
  minute: inUnit('minute', 'short'),
  hour: inUnit('hour', 'short'),
}

/** Formats the remaining seconds of a transfer: `40 sec left`, `5 min left`, `2 hr left`. */
export function formatTimeLeft(seconds: number): string {
  const [n, unit] =
    seconds < MINUTE
      ? ([Math.ceil(seconds), 'second'] as const)
      : seconds < HOUR
        ? ([Math.round(seconds / MINUTE), 'minute'] as const)
        : ([Math.round(seconds / HOUR), 'hour'] as const)
  return t('{{time}} left', { time: shortUnits[unit]().format(n) })
}

/** Formats bytes per second: `138 MiB/s`. */
export function formatRate(bytesPerSecond: number): string {
  return t('{{size}}/s', { size: formatSize(bytesPerSecond) })
}

/** Joins figures that belong together: `52 of 86 GiB, 112 MiB/s`. */
export function formatUnits(texts: readonly string[]): string {
  return unitList().format(texts)
}

const lists = inLanguage((language) => new Intl.ListFormat(language, { type: 'conjunction' }))

/** Joins a list: `media, logs, and backup`. */
export function formatList(texts: readonly string[]): string {
  return lists().format(texts)
}
