import type { Column } from './types.ts'

/** The minimum width of a column without a fixed width (px). Such columns share the remaining width. */
export const MIN_COLUMN_WIDTH = 220

/** Returns the width that the columns need (px). */
export function neededWidth<Row>(columns: Column<Row>[]): number {
  return columns.reduce((sum, column) => sum + (column.width ?? MIN_COLUMN_WIDTH), 0)
}

/**
 * Returns the columns that fit: columns with `yields` are removed, highest first, until the rest fits.
 * @param room px; 0 while unknown
 */
export function fitColumns<Row>(columns: Column<Row>[], room: number): Column<Row>[] {
  if (room === 0) return columns
  const shown = new Set(columns)
  const yielding = columns.filter((column) => column.yields !== undefined)
  for (const column of yielding.toSorted((a, b) => (b.yields ?? 0) - (a.yields ?? 0))) {
    if (neededWidth([...shown]) <= room) break
    shown.delete(column)
  }
  return columns.filter((column) => shown.has(column))
}
