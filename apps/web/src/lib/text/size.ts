import { type SizeUnit, sizeUnits } from '@stowage/contract'

/** Returns the number of bytes in a unit. */
export function unitBytes(unit: SizeUnit): number {
  return 1024 ** sizeUnits.indexOf(unit)
}

/** Sizes must be less than this (bytes); larger numbers are not exact. */
export const SIZE_LIMIT = Number.MAX_SAFE_INTEGER + 1

/** Reports whether a server accepts this as the size of something. */
export const isValidSize = (bytes: number) => bytes >= 1 && bytes < SIZE_LIMIT

/**
 * Normalizes the text of a size field after input. A comma is a decimal point, as on many keyboards. Returns undefined for
 * anything else than a number with at most three decimals.
 */
export function normalizeDecimal(text: string): string | undefined {
  const number = text.trim().replace(',', '.')
  return /^\d{0,20}(\.\d{0,3})?$/.test(number) ? number : undefined
}

/** Converts input to whole bytes; 0 if it is not a number. */
export function sizeToBytes(typed: number | string, unit: SizeUnit): number {
  const number = Number(typed)
  return Number.isFinite(number) && number > 0 ? Math.round(number * unitBytes(unit)) : 0
}

/**
 * Splits bytes for editing: into the largest unit that represents them exactly with at most three decimals, or else rounded in
 * the first unit.
 */
export function splitSize(bytes: number, units: readonly SizeUnit[]): { number: number | ''; unit: SizeUnit } {
  const first = units[0] ?? 'B'
  if (bytes <= 0) return { number: '', unit: first }
  for (const unit of units.toReversed()) {
    const number = Math.round((bytes / unitBytes(unit)) * 1000) / 1000
    if (number >= 1 && sizeToBytes(number, unit) === bytes) return { number, unit }
  }
  return { number: Math.round((bytes / unitBytes(first)) * 1000) / 1000, unit: first }
}
