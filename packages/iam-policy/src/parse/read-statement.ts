import type { ActionFamily } from '../actions/catalogue.ts'
import { type JsonMember, type JsonNode, type JsonObjectNode, kindText } from '../json/json-node.ts'
import { DIALECTS, type Dialect } from '../language/dialects.ts'
import type { Effect, Statement } from '../language/document.ts'
import { checkActions } from './check-actions.ts'
import { checkResources } from './check-resources.ts'
import { warnNeverMatches } from './never-matches.ts'
import type { ProblemCollector } from './problems.ts'
import { readCondition } from './read-condition.ts'
import { joinPath, type LocatedText, readMembers, readText, readTexts } from './read-members.ts'

export const STATEMENT_MEMBERS = [
  'Sid',
  'Effect',
  'Principal',
  'NotPrincipal',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Condition',
] as const
export type StatementMembers = Partial<Record<(typeof STATEMENT_MEMBERS)[number], JsonMember>>

/** A parsed statement, with what the checks of bucket policies need. */
export interface ParsedStatement {
  statement: Statement
  node: JsonObjectNode
  path: string
  members: StatementMembers
  actions: readonly LocatedText[]
  resources: readonly LocatedText[]
  notResources: readonly LocatedText[]
}

/** Parses one statement and reports its problems. */
export function readStatement(
  node: JsonNode,
  path: string,
  dialect: Dialect,
  kind: 'iam' | 'bucket',
  problems: ProblemCollector,
): ParsedStatement | undefined {
  if (node.kind !== 'object') {
    problems.error('WrongType', node, path, `is ${kindText(node)}, not an object`)
    return undefined
  }
  const names = kind === 'bucket' ? STATEMENT_MEMBERS : STATEMENT_MEMBERS.filter((name) => !/Principal$/.test(name))
  const members: StatementMembers = readMembers(node, names, path, problems)
  const sid = readText(members.Sid, joinPath(path, 'Sid'), problems)
  const effect = readEffect(members.Effect, node, path, problems)
  const texts = (name: 'Action' | 'NotAction' | 'Resource' | 'NotResource') => {
    const member = members[name]
    return member ? unique(readTexts(member.value, joinPath(path, name), problems)) : []
  }
  const actions = texts('Action')
  const notActions = texts('NotAction')
  const resources = texts('Resource')
  const notResources = texts('NotResource')

  checkActionMembers(members, node, path, actions.length + notActions.length, problems)
  const family = checkActions(actions, dialect, problems)
  if (effect === 'Allow') warnAdministration(actions, problems)
  checkNegations(members, effect, path, dialect, problems)
  checkResourceMembers(members, node, path, family, resources.length + notResources.length, problems)
  checkResources([...resources, ...notResources], family, dialect, problems)
  if (kind === 'iam') warnNeverMatches(actions, resources, family, dialect, problems)
  const conditionPath = joinPath(path, 'Condition')
  const condition = members.Condition
    ? readCondition(members.Condition.value, conditionPath, { family, actions, dialect, problems })
    : undefined

  const list = (found: readonly LocatedText[]) => found.map(({ text }) => text)
  const statement: Statement = {
    ...(sid ? { Sid: sid } : {}),
    Effect: effect ?? 'Deny',
    ...(actions.length > 0 ? { Action: list(actions) } : {}),
    ...(notActions.length > 0 ? { NotAction: list(notActions) } : {}),
    ...(resources.length > 0 ? { Resource: list(resources) } : {}),
    ...(notResources.length > 0 ? { NotResource: list(notResources) } : {}),
    ...(condition ? { Condition: condition } : {}),
  }
  return { statement, node, path, members, actions, resources, notResources }
}

/** Warns about `admin:*`: with all admin actions, holders can give themselves and others any right. */
function warnAdministration(actions: readonly LocatedText[], problems: ProblemCollector): void {
  const all = actions.find(({ text }) => text === 'admin:*')
  if (!all) return
  const message = '"admin:*" grants administration of the server, and with it the right to attach any policy'
  problems.warn('GrantsAdministration', all.node, all.path, message)
}

/** Removes duplicates, as servers do. */
function unique(texts: readonly LocatedText[]): LocatedText[] {
  return texts.filter(({ text }, index) => texts.findIndex((other) => other.text === text) === index)
}

/** Whether a value is null or []; other values without a text have already been reported. */
const isEmpty = (node: JsonNode): boolean =>
  node.kind === 'array' ? node.items.length === 0 : node.kind === 'literal' && node.value === null

const EFFECTS: readonly Effect[] = ['Allow', 'Deny']

function readEffect(
  member: JsonMember | undefined,
  node: JsonNode,
  path: string,
  problems: ProblemCollector,
): Effect | undefined {
  const effectPath = joinPath(path, 'Effect')
  if (!member) {
    problems.error('MissingEffect', node, effectPath, 'is missing; it is one of Allow, Deny')
    return undefined
  }
  const text = readText(member, effectPath, problems)
  const effect = EFFECTS.find((known) => known === text)
  if (text !== undefined && !effect) {
    problems.error('InvalidEffect', member.value, effectPath, `"${text}" is not one of Allow, Deny`)
  }
  return effect
}

function checkActionMembers(
  members: StatementMembers,
  node: JsonNode,
  path: string,
  count: number,
  problems: ProblemCollector,
): void {
  if (members.Action && members.NotAction) {
    const message = 'cannot stand beside Action in one statement'
    problems.error('ActionAndNotAction', members.NotAction.key, joinPath(path, 'NotAction'), message)
  } else if (count === 0) {
    const member = members.Action ?? members.NotAction
    if (!member || isEmpty(member.value)) {
      const message = 'must name at least one action, such as "s3:GetObject"'
      problems.error('MissingAction', member?.value ?? node, joinPath(path, member?.key.value ?? 'Action'), message)
    }
  }
}

function checkNegations(
  { NotAction, NotResource }: StatementMembers,
  effect: Effect | undefined,
  path: string,
  dialect: Dialect,
  problems: ProblemCollector,
): void {
  if (!DIALECTS[dialect].since2025) {
    for (const member of [NotAction, NotResource]) {
      if (!member) continue
      const message = 'is not known to this server'
      problems.error('NotSupportedByServer', member.key, joinPath(path, member.key.value), message)
    }
  } else if (NotAction && effect === 'Allow') {
    const message = 'with Allow grants everything else, admin actions included where the resource is "*"'
    problems.warn('AllowNotAction', NotAction.key, joinPath(path, 'NotAction'), message)
  }
}

function checkResourceMembers(
  members: StatementMembers,
  node: JsonNode,
  path: string,
  family: ActionFamily,
  count: number,
  problems: ProblemCollector,
): void {
  if (family !== 's3') return
  if (members.Resource && members.NotResource) {
    const message = 'cannot stand beside Resource in one statement'
    problems.error('ResourceAndNotResource', members.NotResource.key, joinPath(path, 'NotResource'), message)
  } else if (count === 0) {
    const member = members.Resource ?? members.NotResource
    if (member && !isEmpty(member.value)) return
    const message = 'must name at least one resource, such as "arn:aws:s3:::bucket/*"'
    problems.error('MissingResource', member?.value ?? node, joinPath(path, member?.key.value ?? 'Resource'), message)
  }
}
