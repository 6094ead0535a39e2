import { DIALECTS } from '../dialects.ts'
import { onlyBoolean, parseBoolean } from './boolean.ts'
import type { Operator } from './operator.ts'

/**
 * The key is true, or false, as the policy says; never holds when it is absent. MinIO compares the texts, so that
 * "True" of a policy never holds there.
 */
export const Bool: Operator = {
  keys: ['aws:SecureTransport'],
  compile(values, { dialect }) {
    const expected = onlyBoolean(values)
    if (DIALECTS[dialect].boolSpelling === 'any')
      return ([given]) => given !== undefined && parseBoolean(given) === expected
    const text = String(values[0])
    return ([given]) => given === text
  },
}
