import { MAYBE, YES } from '../tri.ts'
import type { CompiledPolicy } from './compile.ts'
import { type AccessRequest, type CapabilityQuestion, openQuestionOf, type Question, questionOf } from './question.ts'
import { type CompiledStatement, matchStatement } from './statement.ts'
import { DENY_ONLY, NO_MATCH, NO_POLICY, OWNER, type Verdict } from './verdict.ts'

/** What a caller holds. One object serves all of its requests. */
export interface Access {
  /**
   * The policies of the caller: its own and those of its groups; for an anonymous caller that of the bucket;
   * none for one without rights.
   */
  policies: readonly CompiledPolicy[]
  /** The policy embedded in a session or service account: it has to allow as well. */
  session?: CompiledPolicy | undefined
  /** Root, and what is derived from root: allowed what nothing denies. */
  owner?: boolean | undefined
}

/** Decides about a request. */
export function evaluate(access: Access, request: AccessRequest): Verdict {
  return decide(access, questionOf(request), request.denyOnly === true)
}

/** The short form of `evaluate` for a gate that needs no reason. */
export function isAllowed(access: Access, request: AccessRequest): boolean {
  return evaluate(access, request).decision === 'allow'
}

/**
 * Tells whether a caller could do something, before there is a request: `conditional` when it depends on a condition,
 * or on the bucket or key where the question leaves that open.
 */
export function can(access: Access, question: CapabilityQuestion): Verdict {
  return decide(access, openQuestionOf(question), false)
}

function decide(access: Access, question: Question, denyOnly: boolean): Verdict {
  const verdict = decideAction(access, question, denyOnly)
  if (question.action === 's3:ListBucketVersions') return orByListing(verdict, access, question, denyOnly)
  if (question.action === 's3:DeleteObject' && verdict.decision !== 'deny') {
    return unlessVersionDenied(verdict, access, question)
  }
  return verdict
}

/** Who may list a bucket may list its versions, unless our dialect finds that somebody denies just that. */
function orByListing(verdict: Verdict, access: Access, question: Question, denyOnly: boolean): Verdict {
  if (verdict.decision === 'allow') return verdict
  const listing = decideAction(access, { ...question, action: 's3:ListBucket' }, denyOnly)
  if (listing.decision === 'deny') return verdict
  if (dialectOf(access) !== 'stowage') return listing
  const policies = access.session ? [...access.policies, access.session] : access.policies
  const { sure, doubtful } = findDenial(policies, question)
  return sure ? verdict : unless(doubtful, question, listing)
}

/** Deleting a version must not be denied on its own; a session policy has to allow it on its own. */
function unlessVersionDenied(verdict: Verdict, access: Access, question: Question): Verdict {
  if (!question.values.get('s3:versionid')?.[0]) return verdict
  const ofBucket = access.policies[0]?.kind === 'bucket'
  if (ofBucket && dialectOf(access) !== 'stowage') return verdict
  const version = decideAction(access, { ...question, action: 's3:DeleteObjectVersion' }, true)
  return version.decision === 'allow' ? verdict : version
}

const dialectOf = (access: Access) => access.policies[0]?.dialect ?? access.session?.dialect ?? 'stowage'

function decideAction(access: Access, question: Question, denyOnly: boolean): Verdict {
  const base = decideBy(access.policies, question, access.owner === true, denyOnly)
  if (!access.session || base.decision === 'deny') return base
  // Neither being the owner nor asking for denials only spares anybody from its session policy.
  const session = decideBy([access.session], question, false, false)
  return session.decision === 'allow' ? base : session
}

function decideBy(policies: readonly CompiledPolicy[], question: Question, owner: boolean, denyOnly: boolean): Verdict {
  const { sure, doubtful: doubtfulDeny } = findDenial(policies, question)
  if (sure) return sure.verdict
  if (owner) return unless(doubtfulDeny, question, OWNER)
  if (policies.length === 0) return NO_POLICY
  if (denyOnly) return unless(doubtfulDeny, question, DENY_ONLY)
  let doubtfulAllow: CompiledStatement | undefined
  for (const policy of policies) {
    for (const statement of policy.about(question.action).allow) {
      const match = matchStatement(statement, question)
      if (match === YES) return unless(doubtfulDeny, question, statement.verdict)
      if (match === MAYBE) doubtfulAllow ??= statement
    }
  }
  return doubtfulAllow ? conditional(doubtfulAllow, question) : NO_MATCH
}

/** The first statement that denies, else the first that may. */
function findDenial(policies: readonly CompiledPolicy[], question: Question): Denial {
  let doubtful: CompiledStatement | undefined
  for (const policy of policies) {
    for (const statement of policy.about(question.action).deny) {
      const match = matchStatement(statement, question)
      if (match === YES) return { sure: statement }
      if (match === MAYBE) doubtful ??= statement
    }
  }
  return doubtful ? { doubtful } : NO_DENIAL
}

interface Denial {
  sure?: CompiledStatement
  doubtful?: CompiledStatement
}

const NO_DENIAL: Denial = {}

function unless(doubtful: CompiledStatement | undefined, question: Question, verdict: Verdict): Verdict {
  return doubtful ? conditional(doubtful, question) : verdict
}

function conditional(statement: CompiledStatement, question: Question): Verdict {
  const dependsOn: ('condition' | 'resource')[] = []
  if (statement.matchesResource(question) === MAYBE) dependsOn.push('resource')
  if (statement.conditions.some((condition) => condition.holds(question) === MAYBE)) dependsOn.push('condition')
  return { decision: 'conditional', reason: 'statement', statement: statement.ref, dependsOn }
}
