import { MAX_SHARE_MS } from '@stowage/contract/objects/share'
import { localDayField } from '../../../lib/text/date-fields.ts'
import { msg } from '../../../lib/text/i18n.ts'

/** Returns the last day that ends less than seven days from now, for a date field. */
export function lastLinkDay(now = new Date()): string {
  const day = new Date(now.getTime() + MAX_SHARE_MS)
  day.setDate(day.getDate() - 1)
  return localDayField(day)
}

/** Returns 23:59:59 of a day in the user's time zone (ms since 1970); NaN for an invalid day. */
export function endOfDay(day: string): number {
  return new Date(`${day}T23:59:59`).getTime()
}

/** Returns why a link cannot end at this time; undefined if it can. @param end ms since 1970 */
export function linkEndProblem(end: number, now = Date.now()) {
  if (!(end > now)) return msg('Selected date must be greater than current time.')
  if (end - now > MAX_SHARE_MS) return msg('You can share a file only for less than 7 days.')
  return undefined
}

/** Returns the expiry of a presigned link according to its URL (ms since 1970); undefined if it has none. */
export function linkExpiry(url: string): number | undefined {
  if (!URL.canParse(url)) return undefined
  const { searchParams } = new URL(url)
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(searchParams.get('X-Amz-Date') ?? '') ?? []
  const seconds = Number(searchParams.get('X-Amz-Expires') ?? Number.NaN)
  const begin = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  const end = begin + seconds * 1000
  return Number.isNaN(end) ? undefined : end
}
