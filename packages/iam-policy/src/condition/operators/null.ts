import { onlyBoolean } from '../value-types/boolean.ts'
import type { ConditionOperator } from '../value-types/operator.ts'

/** true: holds if the request has no value for the key; false: holds if it has one, even an empty one. */
export const Null: ConditionOperator = {
  compile(values) {
    const absent = onlyBoolean(values)
    return (given) => (given.length === 0) === absent
  },
}
