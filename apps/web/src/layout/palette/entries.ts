import type { PaletteEntry } from '../../lib/navigation/palette-entry.ts'

/** Where the query stands in a label, or -1. Letters count, not their case. */
export function matchAt(label: string, query: string): number {
  return label.toLowerCase().indexOf(query.trim().toLowerCase())
}

/** Entries that match, those that begin with the query first, at most `most` of an area. */
export function search(entries: PaletteEntry[], query: string, most = 7): PaletteEntry[] {
  const counts = new Map<string, number>()
  return entries
    .map((entry) => ({ entry, at: matchAt(entry.label, query) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => order(entries, a.entry.area) - order(entries, b.entry.area) || Math.sign(a.at) - Math.sign(b.at))
    .map(({ entry }) => entry)
    .filter(({ area }) => {
      const n = (counts.get(area) ?? 0) + 1
      counts.set(area, n)
      return n <= most
    })
}

/** Areas keep the order in which they come. */
function order(entries: PaletteEntry[], area: string): number {
  return entries.findIndex((entry) => entry.area === area)
}
