import { DIALECTS } from '../../language/dialects.ts'
import { onlyBoolean, parseBoolean } from '../value-types/boolean.ts'
import type { ConditionOperator } from '../value-types/operator.ts'

/**
 * Holds if the key is true or false, as the policy requires; never if it is absent. MinIO compares the texts, so "True" in a
 * policy never holds there.
 */
export const Bool: ConditionOperator = {
  keys: ['aws:SecureTransport'],
  compile(values, { dialect }) {
    const expected = onlyBoolean(values)
    if (DIALECTS[dialect].boolSpelling === 'any')
      return ([given]) => given !== undefined && parseBoolean(given) === expected
    const text = String(values[0])
    return ([given]) => given === text
  },
}
