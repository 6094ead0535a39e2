import { MAYBE, NO, YES } from '../tri.ts'
import type { CompiledPolicy } from './compile.ts'
import type { CompiledCondition } from './condition.ts'
import { type Access, can, evaluate } from './evaluate.ts'
import { type AccessRequest, type CapabilityQuestion, openQuestionOf, type Question, questionOf } from './question.ts'
import type { CompiledStatement } from './statement.ts'
import type { StatementRef, Verdict } from './verdict.ts'

export interface Explanation extends Verdict {
  /** Every statement of the caller, those of its session policy last. */
  statements: StatementReport[]
}

export interface StatementReport extends StatementRef {
  /** Whether it is one of the session policy. */
  session: boolean
  matched: 'yes' | 'no' | 'depends'
  /** The part that does not fit, or on which it depends. */
  part?: 'principal' | 'action' | 'resource' | 'condition'
  /** For people: why. */
  because: string
}

/** The verdict of `evaluate` with what each statement had to say. */
export function explain(access: Access, request: AccessRequest): Explanation {
  return { ...evaluate(access, request), statements: reports(access, questionOf(request)) }
}

/** The verdict of `can` with what each statement had to say. */
export function explainCan(access: Access, question: CapabilityQuestion): Explanation {
  return { ...can(access, question), statements: reports(access, openQuestionOf(question)) }
}

function reports(access: Access, question: Question): StatementReport[] {
  const of = (policy: CompiledPolicy, session: boolean) =>
    policy.statements.map((statement) => ({ ...statement.ref, session, ...report(statement, question) }))
  return [
    ...access.policies.flatMap((policy) => of(policy, false)),
    ...(access.session ? of(access.session, true) : []),
  ]
}

type Finding = Pick<StatementReport, 'matched' | 'part' | 'because'>

function report(statement: CompiledStatement, question: Question): Finding {
  if (!statement.matchesPrincipal) {
    return { matched: 'no', part: 'principal', because: 'it is not about anonymous callers' }
  }
  if (!statement.matchesAction(question.action)) {
    return { matched: 'no', part: 'action', because: `it does not speak of ${question.action}` }
  }
  const resource = statement.matchesResource(question)
  if (resource === NO) {
    return { matched: 'no', part: 'resource', because: `its resources do not match ${targetText(question)}` }
  }
  const failed = statement.conditions.find((condition) => condition.holds(question) === NO)
  if (failed) return { matched: 'no', part: 'condition', because: `${conditionText(failed, question)} does not hold` }
  const open = statement.conditions.find((condition) => condition.holds(question) === MAYBE)
  if (open) return { matched: 'depends', part: 'condition', because: `it depends on ${open.key}` }
  if (resource !== YES) return { matched: 'depends', part: 'resource', because: resourceDoubt(question) }
  return { matched: 'yes', because: 'action, resource and conditions fit' }
}

function targetText({ target }: Question): string {
  if (target.isPrefix) return target.text === '' ? 'any bucket' : `anything in ${target.text}`
  return target.text === '/' ? 'a request about no bucket' : target.text
}

const resourceDoubt = (question: Question): string =>
  question.target.isPrefix
    ? `its resources match only a part of ${targetText(question)}`
    : 'its resources have variables'

function conditionText({ operator, key, allowed, unreadable }: CompiledCondition, { values }: Question): string {
  if (unreadable) return `${operator} on ${key} (unreadable: ${unreadable})`
  const given = values.get(key) ?? []
  const has = given.length === 0 ? 'absent' : given.map((value) => JSON.stringify(value)).join(', ')
  return `${operator} on ${key}: ${allowed.map((value) => JSON.stringify(value)).join(', ')} (the request has ${has})`
}
