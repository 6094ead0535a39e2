import { actionFamily } from '../actions/catalogue.ts'
import { both, type Certainty, MAYBE, NO, opposite, YES, yesOrNo } from '../language/certainty.ts'
import { DIALECTS, type Dialect, type ResourceTextStyle } from '../language/dialects.ts'
import type { Statement } from '../language/document.ts'
import { compileAction } from '../match/match-action.ts'
import { compileResource, type ResourceMatcher } from '../match/match-resource.ts'
import type { ResourceTarget } from '../match/resource-target.ts'
import { compileConditions } from './compile-conditions.ts'
import { compilePrincipal } from './compile-principal.ts'
import type { CompiledStatement, PolicyKind, PolicyQuestion } from './compiled-policy.ts'
import type { StatementRef } from './evaluation-result.ts'

export interface StatementPosition {
  policy: string
  index: number
  dialect: Dialect
  kind: PolicyKind
}

export function compileStatement(statement: Statement, site: StatementPosition): CompiledStatement {
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
    matchesPrincipal: site.kind === 'iam' ? undefined : compilePrincipal(statement, site.dialect),
    conditions: compileConditions(statement, site.dialect),
    matchesAction: compileActions(statement, site.dialect),
    matchesResource: compileResources(statement, site),
    resourceTarget: (question) => question.targets.get(resourceTextStyle(site)),
  }
}

/**
 * Whether all parts match the question, except the action, which the caller has already checked.
 * @param principal see `CallerAccess.principal`
 */
export function matchStatement(
  statement: CompiledStatement,
  question: PolicyQuestion,
  principal: string | undefined,
): Certainty {
  if (statement.matchesPrincipal && !statement.matchesPrincipal(principal)) return NO
  let result = statement.matchesResource(question)
  for (const condition of statement.conditions) {
    if (result === NO) return NO
    result = both(result, condition.holds(question))
  }
  return result
}

function compileActions({ Effect, Action, NotAction }: Statement, dialect: Dialect): (action: string) => boolean {
  const actions = (Action ?? []).map((action) => compileAction(action, Effect, dialect))
  const notActions = (NotAction ?? []).map((action) => compileAction(action, 'Deny', dialect))
  // A statement without actions is invalid: it allows nothing and denies everything.
  if (actions.length + notActions.length === 0) return () => Effect === 'Deny'
  return (action) =>
    (actions.length === 0 || actions.some((matcher) => matcher.matches(action))) &&
    !notActions.some((matcher) => matcher.matches(action))
}

function compileResources(
  statement: Statement,
  { dialect, kind }: StatementPosition,
): (question: PolicyQuestion) => Certainty {
  const compileAll = (list: readonly string[] = []) => list.map((source) => compileResource(source, dialect))
  const resources = compileAll(statement.Resource)
  const notResources = compileAll(statement.NotResource)
  const named = new Set((statement.Action ?? []).map(actionFamily))
  const style = resourceTextStyle({ dialect, kind })
  const bareStar = kind === 'iam' && DIALECTS[dialect].starIgnoresResource && (statement.Action ?? []).includes('*')
  const withoutResource = yesOrNo(statement.Effect === 'Deny')
  return (question) => {
    const { family } = question
    const target = question.targets.get(style)
    if (bareStar || (family !== 's3' && named.has(family))) {
      // Of the families without buckets only kms has resources, and only if both the statement and the request name some.
      if (family !== 'kms' || resources.length === 0 || target.text === '' || target.text === '/') return YES
    }
    if (resources.length + notResources.length === 0) return withoutResource
    const inside = resources.length === 0 ? YES : matchAny(resources, target, question)
    return notResources.length === 0 ? inside : both(inside, opposite(matchAny(notResources, target, question)))
  }
}

function resourceTextStyle({ dialect, kind }: Pick<StatementPosition, 'dialect' | 'kind'>): ResourceTextStyle {
  const { userTargets, bucketTargets } = DIALECTS[dialect]
  return kind === 'iam' ? userTargets : bucketTargets
}

function matchAny(resources: readonly ResourceMatcher[], target: ResourceTarget, question: PolicyQuestion): Certainty {
  let best: Certainty = NO
  for (const resource of resources) {
    const found = resource.matches(target, question.values, question.open)
    if (found === YES) return YES
    if (found === MAYBE) best = MAYBE
  }
  return best
}
