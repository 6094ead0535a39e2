/** Compares keys as S3 does, by the bytes of their UTF-8; JavaScript's `<` puts '\uFF5E' after '😀'. */
export function compareKeyBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** Merges two lists that are sorted by name. Entries of the same name keep their order. */
export function mergeByName<T extends { name: string }>(a: readonly T[], b: readonly T[]): T[] {
  if (a.length === 0 || b.length === 0) return [...a, ...b]
  const merged: T[] = []
  let next = 0
  for (const item of a) {
    for (let other = b[next]; other && compareKeyBytes(other.name, item.name) < 0; other = b[++next]) merged.push(other)
    merged.push(item)
  }
  return [...merged, ...b.slice(next)]
}
