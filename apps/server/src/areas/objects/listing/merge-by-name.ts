import { compareKeys } from '@stowage/contract/objects/compare-keys'

/** Merges two lists that are sorted by name. Entries of the same name keep their order. */
export function mergeByName<T extends { name: string }>(a: readonly T[], b: readonly T[]): T[] {
  if (a.length === 0 || b.length === 0) return [...a, ...b]
  const merged: T[] = []
  let next = 0
  for (const item of a) {
    for (let other = b[next]; other && compareKeys(other.name, item.name) < 0; other = b[++next]) merged.push(other)
    merged.push(item)
  }
  return [...merged, ...b.slice(next)]
}
