import type { ConditionValue } from '../document.ts'
import type { Target } from '../match/target.ts'
import { MAYBE, NO, YES } from '../tri.ts'
import type {
  CompiledBucketPolicy,
  CompiledCondition,
  CompiledPolicy,
  CompiledStatement,
  Question,
} from './compiled.ts'
import { type Access, can, consultedPolicy, evaluate } from './evaluate.ts'
import { type AccessRequest, type CapabilityQuestion, openQuestionOf, questionOf } from './question.ts'
import type { StatementRef, Verdict } from './verdict.ts'

export interface Explanation extends Verdict {
  /** All statements of the caller, then those of the bucket policy, then those of session policies. */
  statements: StatementReport[]
}

export interface StatementReport extends StatementRef {
  /** Whether it belongs to a session policy. */
  session: boolean
  matched: 'yes' | 'no' | 'depends'
  /** The part that does not match, or that decides. */
  part?: 'principal' | 'action' | 'resource' | 'condition'
  because: Because
}

/** Why a statement matches or not, as codes that programs can translate. */
export type Because =
  | { id: 'match' | 'not-anonymous' | 'no-bucket-matches' | 'not-about-a-bucket' | 'variables' | 'some-buckets' }
  | { id: 'other-user'; params: { principal: string } }
  | { id: 'other-action'; params: { action: string } }
  | { id: 'other-resource' | 'nothing-in-it' | 'part-of-it'; params: { resource: string } }
  | { id: 'open-condition'; params: { key: string } }
  | { id: 'unmet-condition'; params: { condition: string; given: string } }
  | { id: 'condition-without-value'; params: { condition: string; key: string } }
  | { id: 'unreadable-condition'; params: { condition: string; problem: string } }

/** Returns the verdict of `evaluate` with the result of each statement. */
export function explain(access: Access, request: AccessRequest): Explanation {
  return { ...evaluate(access, request), statements: reports(access, questionOf(request)) }
}

/** Returns the verdict of `can` with the result of each statement. */
export function explainCan(access: Access, question: CapabilityQuestion): Explanation {
  return { ...can(access, question), statements: reports(access, openQuestionOf(question)) }
}

function reports(access: Access, question: Question): StatementReport[] {
  const of = (policy: CompiledPolicy | CompiledBucketPolicy, session: boolean) =>
    policy.statements.map((statement) => ({
      ...statement.ref,
      session,
      ...report(statement, question, access.principal),
    }))
  const ofBucket = consultedPolicy(access, question)
  return [
    ...access.policies.flatMap((policy) => of(policy, false)),
    ...(ofBucket ? of(ofBucket, false) : []),
    ...(access.sessions ?? []).flatMap((policy) => of(policy, true)),
  ]
}

type Finding = Pick<StatementReport, 'matched' | 'part' | 'because'>

function report(statement: CompiledStatement, question: Question, principal: string | undefined): Finding {
  if (statement.matchesPrincipal && !statement.matchesPrincipal(principal)) {
    const because: Because =
      principal === undefined ? { id: 'not-anonymous' } : { id: 'other-user', params: { principal } }
    return { matched: 'no', part: 'principal', because }
  }
  const { action } = question
  if (!statement.matchesAction(action))
    return { matched: 'no', part: 'action', because: { id: 'other-action', params: { action } } }
  const resource = statement.matchesResource(question)
  const target = statement.targetOf(question)
  if (resource === NO) return { matched: 'no', part: 'resource', because: mismatch(target) }
  const failed = statement.conditions.find((condition) => condition.holds(question) === NO)
  if (failed) return { matched: 'no', part: 'condition', because: unmet(failed, question) }
  const open = statement.conditions.find((condition) => condition.holds(question) === MAYBE)
  if (open)
    return { matched: 'depends', part: 'condition', because: { id: 'open-condition', params: { key: open.key } } }
  if (resource !== YES) return { matched: 'depends', part: 'resource', because: doubt(target) }
  return { matched: 'yes', because: { id: 'match' } }
}

function mismatch({ text, reach }: Target): Because {
  if (reach !== 'exact')
    return text === '' ? { id: 'no-bucket-matches' } : { id: 'nothing-in-it', params: { resource: text } }
  return text === '' || text === '/'
    ? { id: 'not-about-a-bucket' }
    : { id: 'other-resource', params: { resource: text } }
}

function doubt({ text, reach }: Target): Because {
  if (reach === 'exact') return { id: 'variables' }
  return text === '' ? { id: 'some-buckets' } : { id: 'part-of-it', params: { resource: text } }
}

function unmet({ operator, key, allowed, unreadable }: CompiledCondition, { values }: Question): Because {
  const listed = (list: readonly ConditionValue[]) => list.map((value) => JSON.stringify(value)).join(', ')
  if (unreadable)
    return { id: 'unreadable-condition', params: { condition: `${operator} ${key}`, problem: unreadable } }
  const condition = `${operator} ${key} ${listed(allowed)}`
  const given = values.get(key) ?? []
  return given.length === 0
    ? { id: 'condition-without-value', params: { condition, key } }
    : { id: 'unmet-condition', params: { condition, given: listed(given) } }
}
