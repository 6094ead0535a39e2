/** A JSON object with unknown members. */
export type JsonAnswer = Readonly<Record<string, unknown>>

// Parsers for answers. Go servers send `null` for an empty list and leave out zeros, and different servers spell names
// differently, so these parsers accept all forms.

export function asObject(value: unknown): JsonAnswer {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonAnswer) : {}
}

/** Returns the first of these members that is present. */
export function pickMember(value: unknown, ...names: string[]): unknown {
  const object = asObject(value)
  for (const name of names) if (object[name] !== undefined && object[name] !== null) return object[name]
  return undefined
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function asTexts(value: unknown): string[] {
  return asList(value).filter((item) => typeof item === 'string')
}

/** Parses names separated by commas, such as the policies of a user. */
export function splitNames(value: unknown): string[] {
  return asText(value)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/**
 * Returns a number. Integers beyond 2^53 become the nearest JavaScript number, off by less than one part in 10^15; Go's largest
 * integer means "no value" and becomes undefined.
 */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && value < 2 ** 63 ? value : undefined
}

/** Returns a finite number that is not negative; null for any other value. */
export function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}

export function asNumbers(value: unknown): number[] {
  return asList(value).flatMap((item) => asNumber(item) ?? [])
}

/** Returns numbers by name, such as a histogram. */
export function asCounts(value: unknown): Record<string, number> {
  return Object.fromEntries(Object.entries(asObject(value)).map(([name, count]) => [name, asNumber(count) ?? 0]))
}

export function asFlag(value: unknown): boolean {
  return value === true
}

/** Returns an RFC 3339 time; undefined for the two values that mean "no time": Unix's epoch and Go's zero time. */
export function asTime(value: unknown): string | undefined {
  const text = asText(value)
  return text === '' || text.startsWith('1970-01-01T00:00:00') || text.startsWith('0001-01-01T') ? undefined : text
}

/** Returns a document that some servers send as JSON and others as a text that contains JSON. */
export function asDocument(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined // The caller treats invalid JSON as absent.
  }
}
