/*
 * Values of date fields (`2026-11-24`) and of date and time fields (`2026-11-24T16:42:08`), and the times that they stand for.
 * A day is either the user's or that of UTC, as the field's hint says; a function for one must not read what another wrote.
 */

const twoDigits = (n: number) => String(n).padStart(2, '0')

/** Formats a day in the user's time zone for a date field. */
export function localDayField(moment: Date): string {
  return `${moment.getFullYear()}-${twoDigits(moment.getMonth() + 1)}-${twoDigits(moment.getDate())}`
}

/** Formats a day in UTC for a date field; empty for no time. @param time RFC 3339 */
export function utcDayField(time: Date | string | undefined): string {
  if (time === undefined) return ''
  const moment = new Date(time)
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString().slice(0, 10)
}

/** Returns the last second of a day in UTC, in RFC 3339. */
export const endOfUtcDay = (day: string): string => `${day}T23:59:59Z`

/** Formats a time for a date and time field, in the user's time zone; empty for no time. @param precision of the field */
export function localTimeField(time: Date | string | undefined, precision: 'minutes' | 'seconds' = 'seconds'): string {
  if (time === undefined) return ''
  const moment = new Date(time)
  const clock = [moment.getHours(), moment.getMinutes(), ...(precision === 'seconds' ? [moment.getSeconds()] : [])]
  return `${localDayField(moment)}T${clock.map(twoDigits).join(':')}`
}

/**
 * Returns the time of a date and time field in RFC 3339; undefined if it is empty or invalid.
 * @param stored the time that the field was filled with: while the field shows it, it is returned as it is, because the field
 *   shows less than it may contain (seconds, or which of two equal hours when clocks are set back)
 */
export function parseLocalTimeField(text: string, stored?: string | undefined): string | undefined {
  if (stored !== undefined && [localTimeField(stored), localTimeField(stored, 'minutes')].includes(text)) return stored
  const moment = new Date(text)
  return text === '' || Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}
