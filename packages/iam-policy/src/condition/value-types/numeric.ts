import { onlyValue } from './boolean.ts'
import { type ConditionOperator, ConditionValueError } from './operator.ts'

const MAX = 2n ** 63n - 1n
const MIN = -(2n ** 63n)

/** Parses a 64-bit integer like servers do; undefined for any other text. */
export function parseInteger(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined
  const value = BigInt(text.replace(/^\+/, ''))
  return value <= MAX && value >= MIN ? value : undefined
}

/**
 * Creates an operator on integers. It uses the first value of the key, and does not hold if that is not an integer; if the key
 * is absent, only an `ifExists` operator holds. So an absent key does not satisfy NumericNotEquals.
 */
export function numericOperator(
  holds: (given: bigint, policy: bigint) => boolean,
  ifExists = false,
): ConditionOperator {
  return {
    compile(values) {
      const value = onlyValue(values)
      const limit = typeof value === 'boolean' ? undefined : parseInteger(String(value))
      if (limit === undefined) throw new ConditionValueError(`${JSON.stringify(value)} is not a whole number`, 0)
      return ([text]) => {
        if (text === undefined) return ifExists
        const given = parseInteger(text)
        return given !== undefined && holds(given, limit)
      }
    },
  }
}
