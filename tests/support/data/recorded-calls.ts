/** A recorded call to the original console of September 2021, with its answer. */
export interface RecordedCall {
  id: string
  m: string
  p: string
  body: unknown
  status: number
  json: unknown
}

/**
 * Returns the members of a recorded answer that ours lacks, or has with another type.
 * @param emptyMayMiss whether ours may leave out empty lists, like Kubernetes objects
 */
export function missingMembers(recorded: unknown, ours: unknown, { emptyMayMiss = false } = {}, path = ''): string[] {
  const inside = (one: unknown, other: unknown, name: string) =>
    missingMembers(one, other, { emptyMayMiss }, `${path}${name}`)
  // The original writes null for an empty list.
  if (recorded === null || recorded === undefined) return []
  if (Array.isArray(recorded)) {
    if (emptyMayMiss && recorded.length === 0 && ours === undefined) return []
    if (!Array.isArray(ours)) return [`${path}: not a list`]
    return recorded.length > 0 && ours.length > 0 ? inside(recorded[0], ours[0], '[0]') : []
  }
  if (typeof recorded !== 'object') return typeof recorded === typeof ours ? [] : [`${path}: ${typeof ours}`]
  if (typeof ours !== 'object' || ours === null) return [`${path}: no object`]
  return Object.entries(recorded).flatMap(([name, value]) =>
    inside(value, (ours as Record<string, unknown>)[name], `.${name}`),
  )
}
