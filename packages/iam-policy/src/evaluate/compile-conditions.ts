import { parseOperatorName } from '../condition/operator-table.ts'
import { type ConditionTest, ConditionValueError } from '../condition/value-types/operator.ts'
import { MAYBE, yesOrNo } from '../language/certainty.ts'
import type { Dialect } from '../language/dialects.ts'
import type { ConditionValue, Effect, Statement } from '../language/document.ts'
import { parseTemplate } from '../match/variable-template.ts'
import type { CompiledCondition } from './compiled-policy.ts'

export function compileConditions({ Condition, Effect }: Statement, dialect: Dialect): CompiledCondition[] {
  return Object.entries(Condition ?? {}).flatMap(([operator, block]) =>
    Object.entries(block).map(([key, allowed]) => compileCondition(operator, key, [...allowed], Effect, dialect)),
  )
}

const NONE: readonly string[] = []

function compileCondition(
  operator: string,
  key: string,
  allowed: readonly ConditionValue[],
  effect: Effect,
  dialect: Dialect,
): CompiledCondition {
  const base = { operator, key, allowed }
  const test = compileTest(operator, key, allowed, dialect)
  if (typeof test === 'string') {
    // To be safe, an invalid condition never allows a request and never exempts one from a denial.
    return { ...base, unreadable: test, holds: () => yesOrNo(effect === 'Deny') }
  }
  const variables = allowed.flatMap((value) =>
    typeof value === 'string' ? (parseTemplate(value, dialect)?.keys ?? []) : [],
  )
  const needed = [key, ...variables]
  return {
    ...base,
    holds({ values, open }) {
      if (open && needed.some((name) => values.get(name) === undefined)) return MAYBE
      return yesOrNo(test(values.get(key) ?? NONE, values))
    },
  }
}

/** Returns the compiled test, or why it could not be compiled. */
function compileTest(
  operatorText: string,
  key: string,
  allowed: readonly ConditionValue[],
  dialect: Dialect,
): ConditionTest | string {
  const parsed = parseOperatorName(operatorText)
  if (!parsed) return `the operator ${operatorText} is unknown`
  try {
    return parsed.operator.compile(allowed, { key, qualifier: parsed.qualifier, dialect })
  } catch (error) {
    if (error instanceof ConditionValueError) return error.message
    throw error
  }
}
