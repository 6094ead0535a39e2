/** A JSON object with unknown members. */
export type Json = Readonly<Record<string, unknown>>

// Parsers for answers. Go servers send `null` for an empty list and leave out zeros, and different servers spell names
// differently, so these parsers accept all forms.

export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

/** Returns the first of these members that is present. */
export function at(value: unknown, ...names: string[]): unknown {
  const object = objectOf(value)
  for (const name of names) if (object[name] !== undefined && object[name] !== null) return object[name]
  return undefined
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function textsOf(value: unknown): string[] {
  return listOf(value).filter((item) => typeof item === 'string')
}

/** Parses names separated by commas, such as the policies of a user. */
export function namesOf(value: unknown): string[] {
  return textOf(value)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/**
 * Returns a number. Integers beyond 2^53 become the nearest JavaScript number, off by less than one part in 10^15; Go's largest
 * integer means "no value" and becomes undefined.
 */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && value < 2 ** 63 ? value : undefined
}

export function numbersOf(value: unknown): number[] {
  return listOf(value).flatMap((item) => numberOf(item) ?? [])
}

/** Returns numbers by name, such as a histogram. */
export function countsOf(value: unknown): Record<string, number> {
  return Object.fromEntries(Object.entries(objectOf(value)).map(([name, count]) => [name, numberOf(count) ?? 0]))
}

export function flagOf(value: unknown): boolean {
  return value === true
}

/** Returns an RFC 3339 time; undefined for the two values that mean "no time": Unix's epoch and Go's zero time. */
export function timeOf(value: unknown): string | undefined {
  const text = textOf(value)
  return text === '' || text.startsWith('1970-01-01T00:00:00') || text.startsWith('0001-01-01T') ? undefined : text
}

/** Returns a document that some servers send as JSON and others as a text that contains JSON. */
export function documentOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined // The caller treats invalid JSON as absent.
  }
}
