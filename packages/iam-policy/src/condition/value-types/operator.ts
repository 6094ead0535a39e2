import type { ConditionLookup } from '../../language/condition-values.ts'
import type { Dialect } from '../../language/dialects.ts'
import type { ConditionValue } from '../../language/document.ts'

export type Qualifier = 'ForAllValues' | 'ForAnyValue'

/** The position of a condition in a policy, for operators that depend on it. */
export interface ConditionSite {
  key: string
  qualifier?: Qualifier | undefined
  dialect: Dialect
}

/** Whether the condition holds for the values of its key; `given` is empty when the request has none. */
export type ConditionTest = (given: readonly string[], values: ConditionLookup) => boolean

/** One condition operator. */
export interface ConditionOperator {
  /** Whether the qualifiers ForAllValues and ForAnyValue change its result. */
  qualified?: boolean
  /** The keys that it accepts; absent: any. */
  keys?: readonly string[]
  /** Servers that support it; absent: all. */
  servers?: readonly Dialect[]
  /**
   * Compiles the values in a policy.
   * @throws ConditionValueError if a value is invalid for the operator
   */
  compile(values: readonly ConditionValue[], site: ConditionSite): ConditionTest
}

/** An invalid value of an operator in a policy. `index` is undefined if the error concerns the whole list. */
export class ConditionValueError extends Error {
  override readonly name = 'ConditionValueError'
  constructor(
    message: string,
    readonly index?: number,
  ) {
    super(message)
  }
}
