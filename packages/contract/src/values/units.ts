/** Bytes in a binary unit. */
export const KiB = 1024
export const MiB = 1024 * KiB
export const GiB = 1024 * MiB
export const TiB = 1024 * GiB

export const sizeUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB', 'ZiB', 'YiB'] as const
export type SizeUnit = (typeof sizeUnits)[number]

/** The minimum size of a download for which the web app shows that it has started (bytes). */
export const LARGE_DOWNLOAD = 100 * MiB
/** Files above this size are uploaded in parts (bytes). */
export const MULTIPART_THRESHOLD = 16 * MiB

/** Splits a size in bytes into value and unit. Below 10 (except for bytes) the value has one decimal, otherwise none. */
export function formatSizeParts(bytes: number): { value: string; unit: SizeUnit } {
  let value = Math.max(0, bytes)
  let i = 0
  while (i < sizeUnits.length - 1 && value >= 1024) {
    value /= 1024
    i++
  }
  // 1023.7 KiB rounds to "1024 KiB", which is 1.0 MiB.
  if (i > 0 && i < sizeUnits.length - 1 && Math.round(value) >= 1024) {
    value /= 1024
    i++
  }
  return { value: i > 0 && value < 9.95 ? value.toFixed(1) : value.toFixed(0), unit: sizeUnits[i] as SizeUnit }
}

/** Formats a size in bytes: `14 TiB`, `9.6 TiB`, `512 B`. */
export function formatSize(bytes: number): string {
  const { value, unit } = formatSizeParts(bytes)
  return `${value} ${unit}`
}
