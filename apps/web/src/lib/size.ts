import { type SizeUnit, sizeUnits } from '@stowage/contract'

/** Bytes of one unit. */
export function unitBytes(unit: SizeUnit): number {
  return 1024 ** sizeUnits.indexOf(unit)
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
