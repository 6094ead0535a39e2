import type { ActionName, FamilyWildcard } from '../actions/catalogue.ts'
import { MAYBE, NO, YES } from '../language/certainty.ts'
import type { ConditionValue } from '../language/document.ts'
import type { ResourceTarget } from '../match/resource-target.ts'
import type {
  CompiledBucketPolicy,
  CompiledCondition,
  CompiledPolicy,
  CompiledStatement,
  PolicyQuestion,
} from './compiled-policy.ts'
import { type CallerAccess, consultedPolicy, decideCapability, evaluate } from './evaluate.ts'
import type { EvaluationResult, StatementRef } from './evaluation-result.ts'
import { type AccessRequest, type CapabilityQuestion, requestQuestion } from './question.ts'

export interface Explanation extends EvaluationResult {
  /** The action that decided, which the statements are matched with: what the server asks for when a request does this. */
  action: ActionName | FamilyWildcard
  /** All statements of the caller, then those of the bucket policy, then those of session policies. */
  statements: StatementExplanation[]
}

export interface StatementExplanation extends StatementRef {
  /** Whether it belongs to a session policy. */
  session: boolean
  matched: 'yes' | 'no' | 'depends'
  /** The part that does not match, or that decides. */
  part?: 'principal' | 'action' | 'resource' | 'condition'
  because: MatchReason
}

/** Why a statement matches or not, as codes that programs can translate. */
export type MatchReason =
  | { id: 'match' | 'not-anonymous' | 'no-bucket-matches' | 'not-about-a-bucket' | 'variables' | 'some-buckets' }
  | { id: 'other-user'; params: { principal: string } }
  | { id: 'other-action'; params: { action: string } }
  | { id: 'other-resource' | 'nothing-in-it' | 'part-of-it'; params: { resource: string } }
  | { id: 'open-condition'; params: { key: string } }
  | { id: 'unmet-condition'; params: { condition: string; given: string } }
  | { id: 'condition-without-value'; params: { condition: string; key: string } }
  | { id: 'unreadable-condition'; params: { condition: string; problem: string } }

/** Returns the verdict of `evaluate` with the result of each statement. */
export function explainRequest(access: CallerAccess, request: AccessRequest): Explanation {
  const { action } = request
  return { ...evaluate(access, request), action, statements: explainStatements(access, requestQuestion(request)) }
}

/** Returns the verdict of `evaluateCapability` with the result of each statement. */
export function explainCapability(access: CallerAccess, question: CapabilityQuestion): Explanation {
  const { verdict, asked } = decideCapability(access, question)
  return { ...verdict, action: asked.action, statements: explainStatements(access, asked) }
}

function explainStatements(access: CallerAccess, question: PolicyQuestion): StatementExplanation[] {
  const of = (policy: CompiledPolicy | CompiledBucketPolicy, session: boolean) =>
    policy.statements.map((statement) => ({
      ...statement.ref,
      session,
      ...explainStatement(statement, question, access.principal),
    }))
  const ofBucket = consultedPolicy(access, question)
  return [
    ...access.policies.flatMap((policy) => of(policy, false)),
    ...(ofBucket ? of(ofBucket, false) : []),
    ...(access.sessions ?? []).flatMap((policy) => of(policy, true)),
  ]
}

type StatementFinding = Pick<StatementExplanation, 'matched' | 'part' | 'because'>

function explainStatement(
  statement: CompiledStatement,
  question: PolicyQuestion,
  principal: string | undefined,
): StatementFinding {
  if (statement.matchesPrincipal && !statement.matchesPrincipal(principal)) {
    const because: MatchReason =
      principal === undefined ? { id: 'not-anonymous' } : { id: 'other-user', params: { principal } }
    return { matched: 'no', part: 'principal', because }
  }
  const { action } = question
  if (!statement.matchesAction(action))
    return { matched: 'no', part: 'action', because: { id: 'other-action', params: { action } } }
  const resource = statement.matchesResource(question)
  const target = statement.resourceTarget(question)
  if (resource === NO) return { matched: 'no', part: 'resource', because: resourceMismatch(target) }
  const failed = statement.conditions.find((condition) => condition.holds(question) === NO)
  if (failed) return { matched: 'no', part: 'condition', because: unmetCondition(failed, question) }
  const open = statement.conditions.find((condition) => condition.holds(question) === MAYBE)
  if (open)
    return { matched: 'depends', part: 'condition', because: { id: 'open-condition', params: { key: open.key } } }
  if (resource !== YES) return { matched: 'depends', part: 'resource', because: possibleResource(target) }
  return { matched: 'yes', because: { id: 'match' } }
}

function resourceMismatch({ text, reach }: ResourceTarget): MatchReason {
  if (reach !== 'exact')
    return text === '' ? { id: 'no-bucket-matches' } : { id: 'nothing-in-it', params: { resource: text } }
  return text === '' || text === '/'
    ? { id: 'not-about-a-bucket' }
    : { id: 'other-resource', params: { resource: text } }
}

function possibleResource({ text, reach }: ResourceTarget): MatchReason {
  if (reach === 'exact') return { id: 'variables' }
  return text === '' ? { id: 'some-buckets' } : { id: 'part-of-it', params: { resource: text } }
}

function unmetCondition(
  { operator, key, allowed, unreadable }: CompiledCondition,
  { values }: PolicyQuestion,
): MatchReason {
  const listed = (list: readonly ConditionValue[]) => list.map((value) => JSON.stringify(value)).join(', ')
  if (unreadable)
    return { id: 'unreadable-condition', params: { condition: `${operator} ${key}`, problem: unreadable } }
  const condition = `${operator} ${key} ${listed(allowed)}`
  const given = values.get(key) ?? []
  return given.length === 0
    ? { id: 'condition-without-value', params: { condition, key } }
    : { id: 'unmet-condition', params: { condition, given: listed(given) } }
}
