import type { Column } from './types.ts'

/** The least width of a column that shares what is left (px). */
export const NAME_WIDTH = 220

/** The width that these columns need. */
export function neededWidth<Row>(columns: Column<Row>[]): number {
  return columns.reduce((sum, column) => sum + (column.width ?? NAME_WIDTH), 0)
}

/**
 * The columns that fit: those that yield are left out, the highest `yields` first, until the rest has room.
 * @param room px; 0 while it is not known
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
