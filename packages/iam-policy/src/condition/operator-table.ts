import { BinaryEquals } from './operators/binary-equals.ts'
import { Bool } from './operators/bool.ts'
import { DateEquals } from './operators/date-equals.ts'
import { DateGreaterThan } from './operators/date-greater-than.ts'
import { DateGreaterThanEquals } from './operators/date-greater-than-equals.ts'
import { DateLessThan } from './operators/date-less-than.ts'
import { DateLessThanEquals } from './operators/date-less-than-equals.ts'
import { DateNotEquals } from './operators/date-not-equals.ts'
import { IpAddress } from './operators/ip-address.ts'
import { NotIpAddress } from './operators/not-ip-address.ts'
import { Null } from './operators/null.ts'
import { NumericEquals } from './operators/numeric-equals.ts'
import { NumericGreaterThan } from './operators/numeric-greater-than.ts'
import { NumericGreaterThanEquals } from './operators/numeric-greater-than-equals.ts'
import { NumericGreaterThanIfExists } from './operators/numeric-greater-than-if-exists.ts'
import { NumericLessThan } from './operators/numeric-less-than.ts'
import { NumericLessThanEquals } from './operators/numeric-less-than-equals.ts'
import { NumericNotEquals } from './operators/numeric-not-equals.ts'
import { StringEquals } from './operators/string-equals.ts'
import { StringEqualsIgnoreCase } from './operators/string-equals-ignore-case.ts'
import { StringLike } from './operators/string-like.ts'
import { StringNotEquals } from './operators/string-not-equals.ts'
import { StringNotEqualsIgnoreCase } from './operators/string-not-equals-ignore-case.ts'
import { StringNotLike } from './operators/string-not-like.ts'
import type { ConditionOperator, Qualifier } from './value-types/operator.ts'

/** Every condition operator, by its name in a policy. */
export const OPERATORS_BY_NAME: ReadonlyMap<string, ConditionOperator> = new Map<string, ConditionOperator>(
  Object.entries({
    StringEquals,
    StringNotEquals,
    StringEqualsIgnoreCase,
    StringNotEqualsIgnoreCase,
    StringLike,
    StringNotLike,
    BinaryEquals,
    IpAddress,
    NotIpAddress,
    Null,
    Bool,
    NumericEquals,
    NumericNotEquals,
    NumericLessThan,
    NumericLessThanEquals,
    NumericGreaterThan,
    NumericGreaterThanEquals,
    NumericGreaterThanIfExists,
    DateEquals,
    DateNotEquals,
    DateLessThan,
    DateLessThanEquals,
    DateGreaterThan,
    DateGreaterThanEquals,
  }),
)

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
