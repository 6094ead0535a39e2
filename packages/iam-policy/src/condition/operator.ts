import type { Dialect } from '../dialects.ts'
import type { ConditionValue } from '../document.ts'
import type { ConditionLookup } from './values.ts'

export type Qualifier = 'ForAllValues' | 'ForAnyValue'

/** Where a condition of a policy stands, for the operators that look at it. */
export interface ConditionSite {
  key: string
  qualifier?: Qualifier | undefined
  dialect: Dialect
}

/** Whether the condition holds for the values of its key; `given` is empty when the request has none. */
export type ConditionTest = (given: readonly string[], values: ConditionLookup) => boolean

/** One condition operator. */
export interface Operator {
  /** Whether the qualifiers ForAllValues and ForAnyValue change its result. */
  qualified?: boolean
  /** The keys that it works on; absent: any. */
  keys?: readonly string[]
  /** Servers that know it; absent: all. */
  servers?: readonly Dialect[]
  /**
   * Reads the values of a policy.
   * @throws ConditionValueError when a value has no meaning for the operator
   */
  compile(values: readonly ConditionValue[], site: ConditionSite): ConditionTest
}

/** A value of a policy that its operator cannot read. `index` is undefined when the whole list is meant. */
export class ConditionValueError extends Error {
  override readonly name = 'ConditionValueError'
  constructor(
    message: string,
    readonly index?: number,
  ) {
    super(message)
  }
}
