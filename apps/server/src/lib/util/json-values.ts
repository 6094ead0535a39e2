/** A JSON object with unknown members. */
export type JsonMembers = Readonly<Record<string, unknown>>

// Parsers for values that others wrote: what has another type is absent.

export function objectOrEmpty(value: unknown): JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonMembers) : {}
}

export function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A finite number that is not negative. */
export function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}
