import { formatSize } from '@stowage/contract'
import { t } from './i18n.ts'

export { formatSize, formatSizeParts } from '@stowage/contract'

const integer = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** `1,204,882` */
export function formatCount(n: number): string {
  return integer.format(n)
}

/** Exact bytes, where a size is stored or edited: `21,990,232,555,520 bytes`. */
export function formatBytes(n: number): string {
  return t('{{n}} bytes', { n: formatCount(n), count: n })
}

/** A share of 1 as whole percent; never 100 before it is full, never 0 when there is something. */
export function formatPercent(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 1) return '<1%'
  return `${percent < 100 ? Math.min(99, Math.round(percent)) : Math.floor(percent)}%`
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

/** The wire writes "no date" as the year 1, in any zone; a text that is no date counts the same. */
function isNone(d: Date): boolean {
  return Number.isNaN(d.getTime()) || d.getUTCFullYear() < 1902
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const units = {
  years: '{{n}} years',
  months: '{{n}} months',
  weeks: '{{n}} weeks',
  days: '{{n}} days',
  hours: '{{n}} hours',
  minutes: '{{n}} minutes',
  seconds: '{{n}} seconds',
}
const say = (n: number, unit: keyof typeof units) => t(units[unit], { n: formatCount(n), count: n })

/**
 * A length of time, in seconds: over 365 days years; over 30 days months and days; 7 to 30 days weeks; 1 to 6 days days;
 * otherwise hours, minutes or seconds.
 */
export function formatDuration(seconds: number): string {
  const days = Math.floor(seconds / DAY)
  if (days > 365) return say(Math.floor(days / 365), 'years')
  if (days > 30) {
    const rest = days % 30
    const months = say(Math.floor(days / 30), 'months')
    return rest > 0 ? `${months}, ${say(rest, 'days')}` : months
  }
  if (days >= 7) return say(Math.floor(days / 7), 'weeks')
  if (days >= 1) return say(days, 'days')
  if (seconds >= HOUR) return say(Math.floor(seconds / HOUR), 'hours')
  if (seconds >= MINUTE) return say(Math.floor(seconds / MINUTE), 'minutes')
  return say(Math.floor(seconds), 'seconds')
}

/** A time in nanoseconds, in seconds with four decimals. */
export function formatNanoseconds(ns: number): string {
  return `${(ns / 1e9).toFixed(4)} s`
}

/** How long ago, for the age of a value: `just now`, `2 min ago`, `3 h ago`, `5 days ago`. */
export function formatAge(moment: Moment, now = Date.now()): string {
  const seconds = Math.max(0, (now - toDate(moment).getTime()) / 1000)
  if (seconds < MINUTE) return t('just now')
  if (seconds < HOUR) return t('{{n}} min ago', { n: Math.floor(seconds / MINUTE) })
  if (seconds < DAY) return t('{{n}} h ago', { n: Math.floor(seconds / HOUR) })
  return t('{{age}} ago', { age: formatDuration(seconds) })
}

/** Time left of a transfer, in seconds: `40 s left`, `5 min left`, `2 h left`. */
export function formatLeft(seconds: number): string {
  if (seconds < MINUTE) return t('{{n}} s left', { n: Math.ceil(seconds) })
  if (seconds < HOUR) return t('{{n}} min left', { n: Math.round(seconds / MINUTE) })
  return t('{{n}} h left', { n: Math.round(seconds / HOUR) })
}

/** Bytes per second: `138 MiB/s`. */
export function formatRate(bytesPerSecond: number): string {
  return `${formatSize(bytesPerSecond)}/s`
}
