const twoDigits = (value: number) => String(value).padStart(2, '0')

/** Formats the local time: `12:06:41.882`. Returns an empty string if `at` is not a valid time. */
export function clockTime(at: string | number): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1900) return ''
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits)
  return `${hours}:${minutes}:${seconds}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

/** Formats a short duration: `548 µs`, `18.4 ms`, `5.00 s`. */
export function shortDurationText(ns: number): string {
  if (ns < 1e3) return `${Math.round(ns)} ns`
  if (ns < 1e6) return `${threeFigures(ns / 1e3)} µs`
  if (ns < 1e9) return `${threeFigures(ns / 1e6)} ms`
  return `${threeFigures(ns / 1e9)} s`
}

const threeFigures = (value: number) =>
  value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0)
