import { familyOf } from '../actions/catalogue.ts'
import type { BucketStatement, Dialect, Statement } from '../document.ts'
import { compileAction } from '../match/action.ts'
import { compileGlob, globMatches } from '../match/glob.ts'
import { compileResource, type ResourceMatcher } from '../match/resource.ts'
import type { Target } from '../match/target.ts'
import { and, fromBoolean, MAYBE, NO, not, type Tri, YES } from '../tri.ts'
import { type CompiledCondition, compileConditions } from './condition.ts'
import type { Question } from './question.ts'
import type { StatementRef, Verdict } from './verdict.ts'

/** A statement ready to be asked. A request has to pass all of its parts. */
export interface CompiledStatement {
  readonly ref: StatementRef
  /** What a request gets that this statement decides. */
  readonly verdict: Verdict
  readonly matchesPrincipal: boolean
  readonly conditions: readonly CompiledCondition[]
  matchesAction(action: string): boolean
  matchesResource(question: Question): Tri
}

export interface StatementSite {
  policy: string
  index: number
  dialect: Dialect
  kind: 'iam' | 'bucket'
}

export function compileStatement(statement: Statement, site: StatementSite): CompiledStatement {
  const { Effect: effect } = statement
  const ref: StatementRef = {
    policy: site.policy,
    index: site.index,
    ...(statement.Sid ? { sid: statement.Sid } : {}),
    effect,
  }
  return {
    ref,
    verdict: { decision: effect === 'Allow' ? 'allow' : 'deny', reason: 'statement', statement: ref },
    matchesPrincipal: site.kind === 'iam' || isAboutAnonymous(statement),
    conditions: compileConditions(statement, site.dialect),
    matchesAction: compileActions(statement, site.dialect),
    matchesResource: compileResources(statement, site),
  }
}

/** Whether all parts but the action, of which the caller made sure, fit the question. */
export function matchStatement(statement: CompiledStatement, question: Question): Tri {
  if (!statement.matchesPrincipal) return NO
  let result = statement.matchesResource(question)
  for (const condition of statement.conditions) {
    if (result === NO) return NO
    result = and(result, condition.holds(question))
  }
  return result
}

/** An anonymous caller has no name, which only a pattern of stars fits. */
function isAboutAnonymous(statement: Statement): boolean {
  const principals = (statement as Partial<BucketStatement>).Principal?.AWS ?? []
  return principals.some((pattern) => globMatches(compileGlob(pattern), ''))
}

function compileActions({ Effect, Action, NotAction }: Statement, dialect: Dialect): (action: string) => boolean {
  const actions = (Action ?? []).map((action) => compileAction(action, Effect, dialect))
  const notActions = (NotAction ?? []).map((action) => compileAction(action, 'Deny', dialect))
  // A statement that names nothing is unreadable: it allows nothing and denies everything.
  if (actions.length + notActions.length === 0) return () => Effect === 'Deny'
  return (action) =>
    (actions.length === 0 || actions.some((matcher) => matcher.matches(action))) &&
    !notActions.some((matcher) => matcher.matches(action))
}

function compileResources(statement: Statement, { dialect, kind }: StatementSite): (question: Question) => Tri {
  const compileAll = (list: readonly string[] = []) => list.map((source) => compileResource(source, dialect))
  const resources = compileAll(statement.Resource)
  const notResources = compileAll(statement.NotResource)
  const named = new Set((statement.Action ?? []).map(familyOf))
  const bareStar = kind === 'iam' && dialect === 'minio-2025' && (statement.Action ?? []).includes('*')
  const withoutResource = fromBoolean(statement.Effect === 'Deny')
  return (question) => {
    const { family } = question
    const target = kind === 'bucket' ? question.bucketTarget : question.target
    if (bareStar || (family !== 's3' && named.has(family))) {
      // Of the families without buckets only kms has resources, and only when its statement and its request name some.
      if (family !== 'kms' || resources.length === 0 || target.text === '/') return YES
    }
    if (resources.length + notResources.length === 0) return withoutResource
    const inside = resources.length === 0 ? YES : matchAny(resources, target, question)
    return notResources.length === 0 ? inside : and(inside, not(matchAny(notResources, target, question)))
  }
}

function matchAny(resources: readonly ResourceMatcher[], target: Target, question: Question): Tri {
  let best: Tri = NO
  for (const resource of resources) {
    const found = resource.matches(target, question.values, question.open)
    if (found === YES) return YES
    if (found === MAYBE) best = MAYBE
  }
  return best
}
