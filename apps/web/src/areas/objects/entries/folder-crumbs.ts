import { lastSegment } from '../../../lib/text/last-segment.ts'
import type { Crumb } from '../../../ui/page/Crumbs.tsx'

/** Shortens a long path to its first and last items. Those in between become one item that links to the deepest of them. */
export function shortenCrumbs(crumbs: Crumb[], first: number, last: number): Crumb[] {
  if (crumbs.length <= first + last + 1) return crumbs
  const hidden = crumbs.slice(first, -last).at(-1)
  const to = hidden?.to
  return [...crumbs.slice(0, first), { label: '…', ...(to !== undefined && { to }) }, ...crumbs.slice(-last)]
}

/** Returns a folder and its parents, from the top down: `a/`, `a/b/`. */
export function folderAndParents(prefix: string): string[] {
  const folders: string[] = []
  for (let at = prefix.indexOf('/'); at >= 0; at = prefix.indexOf('/', at + 1)) folders.push(prefix.slice(0, at + 1))
  return folders
}

/** Returns a folder's own name; `/` if the name is empty. */
export function folderTitle(folder: string): string {
  return lastSegment(folder).slice(0, -1) || '/'
}
