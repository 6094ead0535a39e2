/** Converts the value of a `datetime-local` field to RFC 3339; undefined if it is empty. */
export const parseLocalTime = (local: string): string | undefined =>
  local === '' ? undefined : new Date(local).toISOString()

/** Converts RFC 3339 to the value of a `datetime-local` field, in the browser's time zone. */
export function formatLocalTime(time: string | undefined): string {
  if (time === undefined) return ''
  const at = new Date(time)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
