/** The value of an `<input type="datetime-local">` as RFC 3339; undefined for an empty one. */
export const toExpiration = (local: string): string | undefined =>
  local === '' ? undefined : new Date(local).toISOString()

/** RFC 3339 as the value of an `<input type="datetime-local">`, in the time of the browser. */
export function toLocal(time: string | undefined): string {
  if (time === undefined) return ''
  const at = new Date(time)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
