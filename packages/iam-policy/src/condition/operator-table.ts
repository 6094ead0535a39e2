import { DIALECTS } from '../language/dialects.ts'
import { onlyBoolean, parseBoolean } from './value-types/boolean.ts'
import { dateOperator } from './value-types/date.ts'
import { ipOperator } from './value-types/ip.ts'
import { numericOperator } from './value-types/numeric.ts'
import type { ConditionOperator, Qualifier } from './value-types/operator.ts'
import { parseBase64Text, textOperator } from './value-types/text.ts'

const toLowerCase = (text: string) => text.toLowerCase()

const conditionOperators = {
  // Letter for letter. The negative operators also hold if the key is absent.
  StringEquals: textOperator({ negate: false }),
  StringNotEquals: textOperator({ negate: true }),
  StringEqualsIgnoreCase: textOperator({ negate: false, fold: toLowerCase }),
  StringNotEqualsIgnoreCase: textOperator({ negate: true, fold: toLowerCase }),
  // Patterns: `*` is any text, `?` one byte.
  StringLike: textOperator({ negate: false, pattern: true }),
  StringNotLike: textOperator({ negate: true, pattern: true }),
  // The policy has its values in Base64.
  BinaryEquals: textOperator({ negate: false, read: parseBase64Text }),
  // NotIpAddress also holds if the address is absent or unreadable.
  IpAddress: ipOperator(false),
  NotIpAddress: ipOperator(true),
  /** true: holds if the request has no value for the key; false: holds if it has one, even an empty one. */
  Null: {
    compile(values) {
      const absent = onlyBoolean(values)
      return (given) => (given.length === 0) === absent
    },
  },
  /**
   * Holds if the key is true or false, as the policy requires; never if it is absent. MinIO compares the texts, so "True" in a
   * policy never holds there.
   */
  Bool: {
    keys: ['aws:SecureTransport'],
    compile(values, { dialect }) {
      const expected = onlyBoolean(values)
      if (DIALECTS[dialect].boolSpelling === 'any')
        return ([given]) => given !== undefined && parseBoolean(given) === expected
      const text = String(values[0])
      return ([given]) => given === text
    },
  },
  // Numbers and times never hold if the key is absent, not even the negative ones.
  NumericEquals: numericOperator((given, policy) => given === policy),
  NumericNotEquals: numericOperator((given, policy) => given !== policy),
  NumericLessThan: numericOperator((given, policy) => given < policy),
  NumericLessThanEquals: numericOperator((given, policy) => given <= policy),
  NumericGreaterThan: numericOperator((given, policy) => given > policy),
  NumericGreaterThanEquals: numericOperator((given, policy) => given >= policy),
  // Also holds if the key is absent. Servers have no other IfExists operator.
  NumericGreaterThanIfExists: {
    ...numericOperator((given, policy) => given > policy, true),
    servers: ['stowage', 'minio-2025'],
  },
  DateEquals: dateOperator((given, policy) => given === policy),
  DateNotEquals: dateOperator((given, policy) => given !== policy),
  DateLessThan: dateOperator((given, policy) => given < policy),
  DateLessThanEquals: dateOperator((given, policy) => given <= policy),
  DateGreaterThan: dateOperator((given, policy) => given > policy),
  DateGreaterThanEquals: dateOperator((given, policy) => given >= policy),
} satisfies Record<string, ConditionOperator>

/** Every condition operator, by its name in a policy. */
export const OPERATORS_BY_NAME: ReadonlyMap<string, ConditionOperator> = new Map(Object.entries(conditionOperators))

/** The names of all operators, for people writing policies. */
export const CONDITION_OPERATORS: readonly string[] = [...OPERATORS_BY_NAME.keys()]

export interface OperatorName {
  qualifier?: Qualifier | undefined
  name: string
  operator: ConditionOperator
}

/** Parses `StringLike` or `ForAnyValue:StringLike`; undefined if no server supports it. */
export function parseOperatorName(text: string): OperatorName | undefined {
  const colon = text.indexOf(':')
  const name = text.slice(colon + 1)
  const operator = OPERATORS_BY_NAME.get(name)
  if (!operator) return undefined
  if (colon < 0) return { name, operator }
  const qualifier = text.slice(0, colon)
  if (qualifier !== 'ForAllValues' && qualifier !== 'ForAnyValue') return undefined
  return { qualifier, name, operator }
}
