import { type SizeUnit, sizeUnits } from '@stowage/contract'

/** Bytes of one unit. */
export function unitBytes(unit: SizeUnit): number {
  return 1024 ** sizeUnits.indexOf(unit)
}

/** Sizes are less than this: beyond it numbers are no longer exact (bytes). */
export const SIZE_LIMIT = Number.MAX_SAFE_INTEGER + 1

/** Whether a server takes it as a size that something may have. */
export const isSize = (bytes: number) => bytes >= 1 && bytes < SIZE_LIMIT

/**
 * The text of a size field after this was typed or pasted: a comma is a decimal point, as on many
 * keyboards. Undefined for what is no number, with more than three decimals or with two points: nothing of it is guessed.
 */
export function readNumber(text: string): string | undefined {
  const number = text.trim().replace(',', '.')
  return /^\d{0,20}(\.\d{0,3})?$/.test(number) ? number : undefined
}

/** What was typed as whole bytes; 0 for what is no number. */
export function toBytes(typed: number | string, unit: SizeUnit): number {
  const number = Number(typed)
  return Number.isFinite(number) && number > 0 ? Math.round(number * unitBytes(unit)) : 0
}

/** Bytes as they are best edited: the largest of the units that leaves at most three decimals, exact where it can be. */
export function splitSize(bytes: number, units: readonly SizeUnit[]): { number: number | ''; unit: SizeUnit } {
  const first = units[0] ?? 'B'
  if (bytes <= 0) return { number: '', unit: first }
  for (const unit of units.toReversed()) {
    const number = Math.round((bytes / unitBytes(unit)) * 1000) / 1000
    if (number >= 1 && toBytes(number, unit) === bytes) return { number, unit }
  }
  return { number: Math.round((bytes / unitBytes(first)) * 1000) / 1000, unit: first }
}
