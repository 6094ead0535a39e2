import type { ConditionValue } from '../../language/document.ts'
import { ConditionValueError } from './operator.ts'

const TRUE = ['1', 't', 'T', 'TRUE', 'true', 'True']
const FALSE = ['0', 'f', 'F', 'FALSE', 'false', 'False']

/** Parses the words that servers accept as true and false; undefined for any other text. */
export function parseBoolean(text: string): boolean | undefined {
  if (TRUE.includes(text)) return true
  return FALSE.includes(text) ? false : undefined
}

/**
 * Returns the only value of a condition, a boolean.
 * @throws ConditionValueError for more than one value, or for another kind of value
 */
export function onlyBoolean(values: readonly ConditionValue[]): boolean {
  const value = onlyValue(values)
  const parsed = typeof value === 'string' ? parseBoolean(value) : value
  if (typeof parsed !== 'boolean') throw new ConditionValueError(`${JSON.stringify(value)} is not true or false`, 0)
  return parsed
}

/** @throws ConditionValueError unless there is exactly one value */
export function onlyValue(values: readonly ConditionValue[]): ConditionValue {
  const [value] = values
  if (value === undefined || values.length !== 1) throw new ConditionValueError('takes exactly one value')
  return value
}
