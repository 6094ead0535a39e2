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
  /** Every statement of the caller, then those of the policy of the bucket, those of session policies last. */
  statements: StatementReport[]
}

export interface StatementReport extends StatementRef {
  /** Whether it is one of a session policy. */
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
    const because = `it is not about ${principal === undefined ? 'anonymous callers' : `the user ${principal}`}`
    return { matched: 'no', part: 'principal', because }
  }
  if (!statement.matchesAction(question.action)) {
    return { matched: 'no', part: 'action', because: `it does not speak of ${question.action}` }
  }
  const resource = statement.matchesResource(question)
  const target = statement.targetOf(question)
  if (resource === NO) {
    return { matched: 'no', part: 'resource', because: `its resources do not match ${targetText(target)}` }
  }
  const failed = statement.conditions.find((condition) => condition.holds(question) === NO)
  if (failed) return { matched: 'no', part: 'condition', because: `${conditionText(failed, question)} does not hold` }
  const open = statement.conditions.find((condition) => condition.holds(question) === MAYBE)
  if (open) return { matched: 'depends', part: 'condition', because: `it depends on ${open.key}` }
  if (resource !== YES) return { matched: 'depends', part: 'resource', because: resourceDoubt(target) }
  return { matched: 'yes', because: 'action, resource and conditions fit' }
}

function targetText({ text, reach }: Target): string {
  if (reach !== 'exact') return text === '' ? 'any bucket' : `anything in ${text}`
  return text === '' || text === '/' ? 'a request about no bucket' : text
}

const resourceDoubt = (target: Target): string =>
  target.reach === 'exact' ? 'its resources have variables' : `its resources match only a part of ${targetText(target)}`

function conditionText({ operator, key, allowed, unreadable }: CompiledCondition, { values }: Question): string {
  if (unreadable) return `${operator} on ${key} (unreadable: ${unreadable})`
  const given = values.get(key) ?? []
  const has = given.length === 0 ? 'absent' : given.map((value) => JSON.stringify(value)).join(', ')
  return `${operator} on ${key}: ${allowed.map((value) => JSON.stringify(value)).join(', ')} (the request has ${has})`
}
