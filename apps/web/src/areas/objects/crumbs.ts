import { lastSegment } from '../../lib/text/key.ts'
import type { Crumb } from '../../ui/Crumbs.tsx'

/** The first and the last of a long path; what is between is one step, which leads to the deepest of it. */
export function shorten(crumbs: Crumb[], first: number, last: number): Crumb[] {
  if (crumbs.length <= first + last + 1) return crumbs
  const hidden = crumbs.slice(first, -last).at(-1)
  const to = hidden?.to
  return [...crumbs.slice(0, first), { label: '…', ...(to !== undefined && { to }) }, ...crumbs.slice(-last)]
}

/** A folder and those that it is in, from the bucket down: `a/`, `a/b/`. */
export function foldersOf(prefix: string): string[] {
  const folders: string[] = []
  for (let at = prefix.indexOf('/'); at >= 0; at = prefix.indexOf('/', at + 1)) folders.push(prefix.slice(0, at + 1))
  return folders
}

/** A folder's own name; one without a name is shown by its slash. */
export function titleOf(folder: string): string {
  return lastSegment(folder).slice(0, -1) || '/'
}
