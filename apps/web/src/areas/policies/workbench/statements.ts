import {
  type ConditionValue,
  formatPolicy,
  POLICY_VERSION,
  type PolicyDocument,
  policyFromJson,
  type Statement,
} from '@stowage/iam-policy'

/** One line of the conditions of a statement. */
export interface ConditionLine {
  operator: string
  key: string
  values: readonly ConditionValue[]
}

const EMPTY: PolicyDocument = { Version: POLICY_VERSION, Statement: [] }

/** The statements of a text as the form shows them; undefined while the text is no JSON object. A blank text has none. */
export function readDocument(text: string): PolicyDocument | undefined {
  if (text.trim() === '') return EMPTY
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return policyFromJson(value)
  } catch {
    // Half typed: the editor shows what is wrong.
    return undefined
  }
}

/** The text after a change in the form. */
export function writeDocument(document: PolicyDocument): string {
  return formatPolicy({ ...document, Version: document.Version || POLICY_VERSION }, { indent: 2 })
}

/** A copy with one statement replaced. */
export function withStatement(document: PolicyDocument, index: number, statement: Statement): PolicyDocument {
  return { ...document, Statement: document.Statement.map((one, i) => (i === index ? statement : one)) }
}

export function withoutStatement(document: PolicyDocument, index: number): PolicyDocument {
  return { ...document, Statement: document.Statement.filter((_, i) => i !== index) }
}

/** A copy with one more statement: allows nothing until an action and a resource are chosen. */
export function withNewStatement(document: PolicyDocument): PolicyDocument {
  return { ...document, Statement: [...document.Statement, { Effect: 'Allow', Action: [], Resource: [] }] }
}

export function conditionLines({ Condition = {} }: Statement): ConditionLine[] {
  return Object.entries(Condition).flatMap(([operator, block]) =>
    Object.entries(block).map(([key, values]) => ({ operator, key, values: [values].flat() })),
  )
}

/** A copy with a value added to a condition; those of one operator and key are alternatives. */
export function withCondition(statement: Statement, operator: string, key: string, value: string): Statement {
  const { Condition = {} } = statement
  const block = Condition[operator] ?? {}
  const values = new Set([...(block[key] ?? []), value])
  return { ...statement, Condition: { ...Condition, [operator]: { ...block, [key]: [...values] } } }
}

/** A copy without a condition; the last one of an operator takes the operator with it. */
export function withoutCondition(statement: Statement, operator: string, key: string): Statement {
  const { Condition = {}, ...rest } = statement
  const { [key]: _, ...block } = Condition[operator] ?? {}
  const { [operator]: __, ...others } = Condition
  const left = Object.keys(block).length > 0 ? { ...others, [operator]: block } : others
  return Object.keys(left).length > 0 ? { ...rest, Condition: left } : rest
}
