/** Whether two lists have the same names, in any order. */
export function haveSameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name))
}

/** Returns the fields with these names, for the `before` of a call that changes only these. */
export function pickFields<T extends object>(value: T, names: readonly string[]): Partial<T> {
  // Object.fromEntries loses the types.
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name))) as Partial<T>
}

/** Returns the fields of a body that differ from those of the body that the form would have sent without a change. */
export function changedFields<T extends object>(body: T, unchanged: T): Partial<T> {
  const stored = new Map(Object.entries(unchanged))
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(stored.get(name))),
  ) as Partial<T>
}
