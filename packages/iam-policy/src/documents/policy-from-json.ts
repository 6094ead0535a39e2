import type {
  BucketPolicyDocument,
  ConditionBlock,
  ConditionValue,
  Effect,
  PolicyDocument,
  Principal,
  Statement,
} from '../language/document.ts'

/**
 * Normalizes a policy document from a server, parsed or as JSON text. Never throws and validates nothing: an invalid document
 * becomes an empty policy, names of members are case-insensitive, a single text becomes an array. An invalid statement is kept
 * as one that allows nothing; one with an unknown Effect denies.
 *
 * For text entered by a user, use `parsePolicy`.
 */
export function policyFromJson(value: unknown): PolicyDocument {
  return normalizeDocument(value, normalizeStatement)
}

/**
 * The same for a bucket policy. A statement without a valid Principal, or with NotPrincipal, allows no one and denies everyone.
 */
export function bucketPolicyFromJson(value: unknown): BucketPolicyDocument {
  return normalizeDocument(value, (source) => {
    const statement = normalizeStatement(source)
    return { ...statement, Principal: normalizePrincipal(source, statement.Effect) }
  })
}

/** Whether a policy is empty, as servers of 2021 report for root. */
export function isEmptyPolicy(policy: PolicyDocument): boolean {
  return policy.Version === '' && policy.Statement.length === 0 && !policy.ID
}

function normalizeDocument<S>(value: unknown, statement: (value: unknown) => S) {
  const members = membersByName(typeof value === 'string' ? parseOrUndefined(value) : value)
  const id = textOrEmpty(members.get('id'))
  const statements = members.get('statement')
  return {
    ...(id ? { ID: id } : {}),
    Version: textOrEmpty(members.get('version')),
    Statement: (Array.isArray(statements) ? statements : []).map(statement),
  }
}

function normalizePrincipal(statement: unknown, effect: Effect): Principal {
  const members = membersByName(statement)
  const principal = members.get('principal')
  const named = principal === '*' ? ['*'] : textList(membersByName(principal).get('aws'))
  if (named.length > 0 && !members.has('notprincipal')) return { AWS: named }
  return { AWS: effect === 'Deny' ? ['*'] : [] }
}

function normalizeStatement(value: unknown): Statement {
  const members = membersByName(value)
  const sid = textOrEmpty(members.get('sid'))
  const list = (name: 'Action' | 'NotAction' | 'Resource' | 'NotResource') => {
    const texts = textList(members.get(name.toLowerCase()))
    return texts.length > 0 ? { [name]: texts } : {}
  }
  const condition = normalizeCondition(members.get('condition'))
  return {
    ...(sid ? { Sid: sid } : {}),
    Effect: normalizeEffect(value),
    ...list('Action'),
    ...list('NotAction'),
    ...list('Resource'),
    ...list('NotResource'),
    ...(condition ? { Condition: condition } : {}),
  }
}

function normalizeEffect(statement: unknown): Effect {
  if (!isObject(statement)) return 'Allow'
  return textOrEmpty(membersByName(statement).get('effect')).toLowerCase() === 'allow' ? 'Allow' : 'Deny'
}

function normalizeCondition(value: unknown): ConditionBlock | undefined {
  if (!isObject(value) || Object.keys(value).length === 0) return undefined
  return Object.fromEntries(
    Object.entries(value).map(([operator, keys]) => [
      operator,
      Object.fromEntries(
        Object.entries(isObject(keys) ? keys : {}).map(([key, values]) => [key, conditionValueList(values)]),
      ),
    ]),
  )
}

function conditionValueList(value: unknown): ConditionValue[] {
  return (Array.isArray(value) ? value : [value]).filter(
    (item) => typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean',
  )
}

function textList(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string')
}

const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the members by lower-case name. */
function membersByName(value: unknown): Map<string, unknown> {
  return new Map(isObject(value) ? Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]) : [])
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not a document: nothing is granted.
    return undefined
  }
}
