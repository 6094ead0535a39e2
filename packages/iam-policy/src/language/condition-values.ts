/**
 * The known values of a request by condition key, as written in policies (`aws:SourceIp`, `s3:ExistingObjectTag/env`). A `Map`
 * can be used; a class of the caller can look up an expensive value (such as the tags of an object) on demand.
 */
export interface ConditionLookup {
  get(key: string): readonly string[] | undefined
}

export const NO_CONDITION_VALUES: ConditionLookup = new Map()

/** Creates a lookup from a plain object, e.g. `{ 'aws:username': ['bob'] }`. */
export function conditionValues(values: Readonly<Record<string, readonly string[]>>): ConditionLookup {
  return new Map(Object.entries(values))
}
