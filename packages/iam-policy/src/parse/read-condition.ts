import { ACTIONS, type ActionFamily } from '../actions/catalogue.ts'
import { OPERATORS_BY_NAME, type OperatorName, parseOperatorName } from '../condition/operator-table.ts'
import { ConditionValueError } from '../condition/value-types/operator.ts'
import { type JsonMember, type JsonNode, kindText } from '../json/json-node.ts'
import { ADMIN_KEYS, COMMON_KEYS, keyName, STS_KEYS } from '../language/condition-keys.ts'
import type { Dialect } from '../language/dialects.ts'
import type { ConditionBlock, ConditionValue } from '../language/document.ts'
import { coveredInfos } from './check-actions.ts'
import type { ProblemCollector } from './problems.ts'
import { joinPath, type LocatedText } from './read-members.ts'

/** The statement that a condition belongs to. */
export interface ConditionContext {
  family: ActionFamily
  actions: readonly LocatedText[]
  dialect: Dialect
  problems: ProblemCollector
}

const KNOWN_KEYS: ReadonlySet<string> = new Set([
  ...COMMON_KEYS,
  ...ADMIN_KEYS,
  ...STS_KEYS,
  ...[...ACTIONS.values()].flatMap((info) => [...(info.conditionKeys ?? [])]),
])

/** Parses a `Condition`: operator → key → values. */
export function readCondition(node: JsonNode, path: string, context: ConditionContext): ConditionBlock {
  const block: ConditionBlock = {}
  const { problems } = context
  for (const { key: operatorNode, value } of readEntries(node, path, problems)) {
    const operatorPath = joinPath(path, operatorNode.value)
    const operator = readOperator(operatorNode.value, operatorNode, operatorPath, context)
    const keys: Record<string, ConditionValue[]> = {}
    for (const member of readEntries(value, operatorPath, problems)) {
      const keyPath = joinPath(operatorPath, member.key.value)
      keys[member.key.value] = readKey(member, keyPath, operator, context)
    }
    block[operatorNode.value] = keys
  }
  return block
}

function readEntries(node: JsonNode, path: string, problems: ProblemCollector): JsonMember[] {
  if (node.kind !== 'object') {
    problems.error('WrongType', node, path, `is ${kindText(node)}, not an object`)
    return []
  }
  if (node.members.length === 0) problems.error('EmptyCondition', node, path, 'must not be empty')
  const seen = new Set<string>()
  return node.members.filter(({ key }) => {
    if (!seen.has(key.value)) return seen.add(key.value)
    problems.error('DuplicateMember', key, joinPath(path, key.value), 'is given twice')
    return false
  })
}

function readOperator(text: string, node: JsonNode, path: string, context: ConditionContext): OperatorName | undefined {
  const found = parseOperatorName(text)
  if (!found) {
    context.problems.error(
      'UnknownOperator',
      node,
      path,
      `"${text}" is not an operator${operatorHint(text, context.problems)}`,
    )
  } else if (found.operator.servers && !found.operator.servers.includes(context.dialect)) {
    context.problems.error('NotSupportedByServer', node, path, `"${text}" is not known to this server`)
  } else if (found.qualifier && !found.operator.qualified) {
    context.problems.warn('QualifierIgnored', node, path, `${found.qualifier} changes nothing for ${found.name}`)
  }
  return found
}

function operatorHint(text: string, problems: ProblemCollector): string {
  const colon = text.indexOf(':')
  const qualifier = text.slice(0, colon + 1)
  const hint = problems.suggestion(text.slice(colon + 1), OPERATORS_BY_NAME.keys())
  return hint === '' || qualifier === '' ? hint || `; known are ${[...OPERATORS_BY_NAME.keys()].join(', ')}` : hint
}

function readKey(
  { key, value }: JsonMember,
  path: string,
  operator: OperatorName | undefined,
  context: ConditionContext,
): ConditionValue[] {
  const { problems } = context
  const name = keyName(key.value)
  if (!KNOWN_KEYS.has(name)) {
    problems.error(
      'UnknownConditionKey',
      key,
      path,
      `"${name}" is not a condition key${problems.suggestion(name, KNOWN_KEYS)}`,
    )
  } else checkAllowed(name, key, path, context)
  const values = readValues(value, path, problems)
  if (!operator || values.length === 0) return values.map((item) => item.value)
  const { operator: kind } = operator
  if (kind.keys && !kind.keys.includes(name)) {
    const message = `${operator.name} works on ${kind.keys.join(', ')} only`
    problems.error('ConditionKeyNotAllowed', key, path, message)
  }
  checkValues(operator, key.value, values, { node: value, path }, context)
  return values.map((item) => item.value)
}

/** Compiles all values with the operator; if one is invalid, checks each one separately. */
function checkValues(
  operator: OperatorName,
  key: string,
  values: readonly LocatedValue[],
  list: Pick<LocatedValue, 'node' | 'path'>,
  context: ConditionContext,
): void {
  const error = valueError(operator, key, values, context)
  if (!error) return
  if (error.index !== undefined && values.length > 1) {
    for (const value of values) checkValues(operator, key, [value], value, context)
    return
  }
  const at = error.index === undefined ? list : (values[error.index] ?? list)
  context.problems.error('InvalidConditionValue', at.node, at.path, `${operator.name}: ${error.message}`)
}

function valueError(
  { operator, qualifier }: OperatorName,
  key: string,
  values: readonly LocatedValue[],
  { dialect }: ConditionContext,
): ConditionValueError | undefined {
  try {
    operator.compile(
      values.map((item) => item.value),
      { key, qualifier, dialect },
    )
    return undefined
  } catch (error) {
    if (error instanceof ConditionValueError) return error
    throw error
  }
}

function checkAllowed(name: string, node: JsonNode, path: string, context: ConditionContext): void {
  if (context.family === 'kms') return
  for (const { text } of context.actions) {
    const allowed = allowedKeys(text, context)
    if (!allowed || allowed.has(name)) continue
    const special = [...allowed].filter((key) => !COMMON_KEYS.has(key))
    const others = COMMON_KEYS.has([...allowed][0] ?? '') ? [...special, 'the common keys'] : special
    const message = `"${name}" is not allowed with ${text}; allowed are ${others.join(', ')}`
    context.problems.error('ConditionKeyNotAllowed', node, path, message)
    return
  }
}

/** Returns the allowed keys; undefined: any key, or the action is unknown. */
function allowedKeys(action: string, { family }: ConditionContext): ReadonlySet<string> | undefined {
  if (family === 'admin') return ADMIN_KEYS
  if (family === 'sts') return STS_KEYS
  // Servers treat the name "s3:*" itself as one of the actions that a pattern may cover.
  if (action === '*' || action === 's3:*') return undefined
  const infos = coveredInfos(action)
  return infos.length === 0 ? undefined : new Set(infos.flatMap((info) => [...(info.conditionKeys ?? [])]))
}

interface LocatedValue {
  value: ConditionValue
  node: JsonNode
  path: string
}

function readValues(node: JsonNode, path: string, problems: ProblemCollector): LocatedValue[] {
  const items = node.kind === 'array' ? node.items : [node]
  if (items.length === 0) problems.error('InvalidConditionValue', node, path, 'needs at least one value')
  const seen = new Set<ConditionValue>()
  return items.flatMap((item, index) => {
    const itemPath = node.kind === 'array' ? `${path}[${index}]` : path
    const value = readValue(item, itemPath, problems)
    if (value === undefined) return []
    if (seen.has(value)) {
      problems.error('InvalidConditionValue', item, itemPath, `${JSON.stringify(value)} is given twice`)
    }
    seen.add(value)
    return [{ value, node: item, path: itemPath }]
  })
}

function readValue(node: JsonNode, path: string, problems: ProblemCollector): ConditionValue | undefined {
  if (node.kind === 'string') return node.value
  if (node.kind === 'literal' && node.value !== null) return node.value
  if (node.kind === 'number') {
    if (Number.isSafeInteger(node.value)) return node.value
    problems.error('InvalidConditionValue', node, path, 'is not a whole number below 2^53; write it in quotes')
    return undefined
  }
  problems.error('WrongType', node, path, `is ${kindText(node)}, not a text, number, true or false`)
  return undefined
}
