import { onlyBoolean } from './boolean.ts'
import type { Operator } from './operator.ts'

/** true: the request has no value for the key; false: it has one, be it empty. */
export const Null: Operator = {
  compile(values) {
    const absent = onlyBoolean(values)
    return (given) => (given.length === 0) === absent
  },
}
