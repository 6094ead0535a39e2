import type { PaletteEntry } from '../../lib/navigation/palette-entry.ts'

/** Returns the index of the query in a label, or -1. Ignores case. */
export function matchIndex(label: string, query: string): number {
  return label.toLowerCase().indexOf(query.trim().toLowerCase())
}

/** Returns the entries that match, those that begin with the query first, at most `most` of each area. */
export function searchEntries(entries: PaletteEntry[], query: string, most = 7): PaletteEntry[] {
  const counts = new Map<string, number>()
  // Areas keep their original order. Computed once, because there may be ten thousand users.
  const order = new Map([...new Set(entries.map(({ area }) => area))].map((area, index) => [area, index]))
  const areaOrder = ({ area }: PaletteEntry) => order.get(area) ?? 0
  return entries
    .map((entry) => ({ entry, at: matchIndex(entry.label, query) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => areaOrder(a.entry) - areaOrder(b.entry) || Math.sign(a.at) - Math.sign(b.at))
    .map(({ entry }) => entry)
    .filter(({ area }) => {
      const n = (counts.get(area) ?? 0) + 1
      counts.set(area, n)
      return n <= most
    })
}
