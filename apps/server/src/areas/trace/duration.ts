/** Formats a duration like Go: `0s`, `548.071µs`, `1.2s`, `1m30s`. */
export function durationText(nanoseconds: number): string {
  const ns = Math.round(nanoseconds)
  if (ns < 0) return `-${durationText(-ns)}`
  if (ns === 0) return '0s'
  if (ns < 1e3) return `${ns}ns`
  if (ns < 1e6) return `${ns / 1e3}µs`
  if (ns < 1e9) return `${ns / 1e6}ms`
  const hours = Math.floor(ns / 3600e9)
  const minutes = Math.floor((ns % 3600e9) / 60e9)
  const seconds = `${(ns % 60e9) / 1e9}s`
  if (hours > 0) return `${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${minutes}m${seconds}` : seconds
}
