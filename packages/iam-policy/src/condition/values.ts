/**
 * What is known of a request: condition key as policies write it (`aws:SourceIp`, `s3:ExistingObjectTag/env`) → its
 * values. A `Map` is one; a class of the caller can look a costly value (the tags of an object) up when it is asked.
 */
export interface ConditionLookup {
  get(key: string): readonly string[] | undefined
}

export const NO_VALUES: ConditionLookup = new Map()

/** A lookup from a plain object, e.g. `{ 'aws:username': ['bob'] }`. */
export function conditionValues(values: Readonly<Record<string, readonly string[]>>): ConditionLookup {
  return new Map(Object.entries(values))
}
