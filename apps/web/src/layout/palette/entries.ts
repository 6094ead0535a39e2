import type { Icon } from '@tabler/icons-react'

/** Something that the palette can go to or do. */
export interface Entry {
  /** The heading under which it stands. */
  area: string
  label: string
  icon: Icon
  /** In grey behind the label: `14 TiB`. */
  note?: string
  /** What Enter does, told at the right: `Open Summary`. */
  verb: string
  run: () => void
  /** What Tab does: into the bucket. */
  into?: () => void
}

/** Where the query stands in a label, or -1. Letters count, not their case. */
export function matchAt(label: string, query: string): number {
  return label.toLowerCase().indexOf(query.trim().toLowerCase())
}

/** Entries that match, those that begin with the query first, at most `most` of an area. */
export function search(entries: Entry[], query: string, most = 7): Entry[] {
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
function order(entries: Entry[], area: string): number {
  return entries.findIndex((entry) => entry.area === area)
}
