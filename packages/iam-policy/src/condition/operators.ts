import { BinaryEquals } from './binary-equals.ts'
import { Bool } from './bool.ts'
import { DateEquals } from './date-equals.ts'
import { DateGreaterThan } from './date-greater-than.ts'
import { DateGreaterThanEquals } from './date-greater-than-equals.ts'
import { DateLessThan } from './date-less-than.ts'
import { DateLessThanEquals } from './date-less-than-equals.ts'
import { DateNotEquals } from './date-not-equals.ts'
import { IpAddress } from './ip-address.ts'
import { NotIpAddress } from './not-ip-address.ts'
import { Null } from './null.ts'
import { NumericEquals } from './numeric-equals.ts'
import { NumericGreaterThan } from './numeric-greater-than.ts'
import { NumericGreaterThanEquals } from './numeric-greater-than-equals.ts'
import { NumericGreaterThanIfExists } from './numeric-greater-than-if-exists.ts'
import { NumericLessThan } from './numeric-less-than.ts'
import { NumericLessThanEquals } from './numeric-less-than-equals.ts'
import { NumericNotEquals } from './numeric-not-equals.ts'
import type { ConditionOperator, Qualifier } from './operator.ts'
import { StringEquals } from './string-equals.ts'
import { StringEqualsIgnoreCase } from './string-equals-ignore-case.ts'
import { StringLike } from './string-like.ts'
import { StringNotEquals } from './string-not-equals.ts'
import { StringNotEqualsIgnoreCase } from './string-not-equals-ignore-case.ts'
import { StringNotLike } from './string-not-like.ts'

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
