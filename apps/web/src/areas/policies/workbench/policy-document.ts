import {
  type ConditionValue,
  formatPolicy,
  POLICY_VERSION,
  type PolicyDocument,
  policyFromJson,
  type Statement,
} from '@stowage/iam-policy'

/** A condition of a statement, as a form row. */
export interface ConditionLine {
  operator: string
  key: string
  values: readonly ConditionValue[]
}

const EMPTY: PolicyDocument = { Version: POLICY_VERSION, Statement: [] }

/** Parses a policy text for the form; undefined if it is not a JSON object. An empty text has no statements. */
export function readDocument(text: string): PolicyDocument | undefined {
  if (text.trim() === '') return EMPTY
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return policyFromJson(value)
  } catch {
    // Incomplete text: the editor shows the error.
    return undefined
  }
}

/** Returns the text after a change in the form. */
export function writeDocument(document: PolicyDocument): string {
  return formatPolicy({ ...document, Version: document.Version || POLICY_VERSION }, { indent: 2 })
}

/** Returns a copy with one statement replaced. */
export function withStatement(document: PolicyDocument, index: number, statement: Statement): PolicyDocument {
  return { ...document, Statement: document.Statement.map((one, i) => (i === index ? statement : one)) }
}

export function withoutStatement(document: PolicyDocument, index: number): PolicyDocument {
  return { ...document, Statement: document.Statement.filter((_, i) => i !== index) }
}

/** Returns a copy with one more statement. It allows nothing until an action and a resource are selected. */
export function withNewStatement(document: PolicyDocument): PolicyDocument {
  return { ...document, Statement: [...document.Statement, { Effect: 'Allow', Action: [], Resource: [] }] }
}

export function conditionLines({ Condition = {} }: Statement): ConditionLine[] {
  return Object.entries(Condition).flatMap(([operator, block]) =>
    Object.entries(block).map(([key, values]) => ({ operator, key, values: [values].flat() })),
  )
}

/** Returns a condition on one line; an empty value is shown as `""`. */
export function conditionText({ operator, key, values }: ConditionLine): string {
  return `${operator} ${key} = ${values.map((value) => (value === '' ? '""' : value)).join(', ')}`
}

/** Returns a copy with a value added to a condition. Values of the same operator and key are alternatives. */
export function withCondition(statement: Statement, operator: string, key: string, value: string): Statement {
  const { Condition = {} } = statement
  const block = Condition[operator] ?? {}
  const values = new Set([...(block[key] ?? []), value])
  return { ...statement, Condition: { ...Condition, [operator]: { ...block, [key]: [...values] } } }
}

/** Returns a copy without a condition. If it was the only one of its operator, the operator is removed too. */
export function withoutCondition(statement: Statement, operator: string, key: string): Statement {
  const { Condition = {}, ...rest } = statement
  const { [key]: _, ...block } = Condition[operator] ?? {}
  const { [operator]: __, ...others } = Condition
  const left = Object.keys(block).length > 0 ? { ...others, [operator]: block } : others
  return Object.keys(left).length > 0 ? { ...rest, Condition: left } : rest
}
