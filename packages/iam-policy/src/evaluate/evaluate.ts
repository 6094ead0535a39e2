import { MAYBE, YES } from '../language/certainty.ts'
import { DIALECTS, type Dialect } from '../language/dialects.ts'
import { askedActions } from '../operations/asked-actions.ts'
import { matchStatement } from './compile-statement.ts'
import type { CompiledBucketPolicy, CompiledPolicy, CompiledStatement, PolicyQuestion } from './compiled-policy.ts'
import {
  type EvaluationDecision,
  type EvaluationResult,
  NO_POLICIES,
  NO_STATEMENT_MATCHES,
  NOTHING_DENIES,
  OWNER_ALLOWED,
} from './evaluation-result.ts'
import { type AccessRequest, type CapabilityQuestion, capabilityQuestion, requestQuestion } from './question.ts'

/** The policies of a caller. One object can be used for all of its requests. */
export interface CallerAccess {
  /** Policies of the caller and of its groups. Empty for an anonymous caller. */
  policies: readonly CompiledPolicy[]
  /**
   * Policies embedded in the session or service account, and in its parent sessions: each must allow the request as well.
   * Absent: none.
   */
  sessions?: readonly CompiledPolicy[] | undefined
  /** Root, and credentials derived from root: allowed unless denied. */
  owner?: boolean | undefined
  /** Name of the user in bucket policies. Undefined for an anonymous caller. */
  principal?: string | undefined
  /** Denies everything: the user is disabled, deleted, or in a disabled group. */
  suspended?: boolean | undefined
}

/** Decides whether a request is allowed. */
export function evaluate(access: CallerAccess, request: AccessRequest): EvaluationResult {
  return decide(access, requestQuestion(request), request.denyOnly === true)
}

/** Short form of `evaluate`, for callers that need no reason. */
export function isAllowed(access: CallerAccess, request: AccessRequest): boolean {
  return evaluate(access, request).decision === 'allow'
}

/**
 * Decides whether a caller could do something, before there is a request: `conditional` if it depends on a condition, or on the
 * bucket or key that the question leaves open.
 */
export function evaluateCapability(access: CallerAccess, question: CapabilityQuestion): EvaluationResult {
  return decideCapability(access, question).verdict
}

/** The verdict on a question, and the question that the server would ask and that decided it. */
export interface DecidedQuestion {
  verdict: EvaluationResult
  asked: PolicyQuestion
}

/** Decides by what the server asks for: the least certain of all that is needed. */
export function decideCapability(access: CallerAccess, question: CapabilityQuestion): DecidedQuestion {
  let decided: DecidedQuestion | undefined
  for (const { action, denyOnly } of askedActions(question.action, accessDialect(access, question.bucketPolicy))) {
    const asked = capabilityQuestion({ ...question, action })
    const verdict = denyOnly ? unlessVersionDenied(decided?.verdict, access, asked) : decide(access, asked, false)
    if (!decided || CERTAINTY[verdict.decision] < CERTAINTY[decided.verdict.decision]) decided = { verdict, asked }
  }
  if (!decided) throw new TypeError(`no server asks for ${question.action}`)
  return decided
}

const CERTAINTY: Record<EvaluationDecision, number> = { deny: 0, conditional: 1, allow: 2 }

function decide(access: CallerAccess, question: PolicyQuestion, denyOnly: boolean): EvaluationResult {
  if (access.suspended) return NO_POLICIES
  const verdict = decideAction(access, question, denyOnly)
  const { versionRights, headBucket } = DIALECTS[accessDialect(access, question.bucketPolicy)]
  switch (question.action) {
    case 's3:ListBucketVersions':
      return versionRights === 'same' ? orByListing(verdict, access, question, denyOnly) : verdict
    case 's3:HeadBucket':
      return headBucket === 'by-name' ? orByListing(verdict, access, question, denyOnly) : verdict
    case 's3:DeleteObject':
      if (versionRights === 'separate' || !question.values.get('s3:versionid')?.[0]) return verdict
      return unlessVersionDenied(verdict, access, { ...question, action: 's3:DeleteObjectVersion' })
    default:
      return verdict
  }
}

/** The right to list a bucket includes the right of this question, even if a policy denies that. */
function orByListing(
  verdict: EvaluationResult,
  access: CallerAccess,
  question: PolicyQuestion,
  denyOnly: boolean,
): EvaluationResult {
  if (verdict.decision === 'allow') return verdict
  const listing = decideAction(access, { ...question, action: 's3:ListBucket' }, denyOnly)
  return listing.decision === 'deny' ? verdict : listing
}

/** Deleting a version must not be denied separately, except in bucket policies, and a session policy must allow it separately. */
function unlessVersionDenied(
  verdict: EvaluationResult | undefined,
  access: CallerAccess,
  question: PolicyQuestion,
): EvaluationResult {
  const byBucketPolicy = access.principal === undefined && question.bucketPolicy !== undefined
  if (verdict && (verdict.decision === 'deny' || byBucketPolicy)) return verdict
  const version = decideAction(access, question, true)
  return version.decision === 'allow' && verdict ? verdict : version
}

function accessDialect(access: CallerAccess, bucketPolicy: CompiledBucketPolicy | undefined): Dialect {
  return (access.policies[0] ?? access.sessions?.[0] ?? bucketPolicy)?.dialect ?? 'stowage'
}

function decideAction(access: CallerAccess, question: PolicyQuestion, denyOnly: boolean): EvaluationResult {
  const base = decideByPolicies(access, question, denyOnly)
  if (!access.sessions || base.decision === 'deny') return base
  let verdict = base
  for (const policy of access.sessions) {
    // Neither owner nor a question for denials exempts a caller from its session policy.
    const session = decideBySession(policy, question, access.principal)
    if (session.decision === 'deny') return session
    if (session.decision === 'conditional') verdict = session
  }
  return verdict
}

/** Decides like AWS within one account: any denial counts, otherwise any allowance. */
function decideByPolicies(access: CallerAccess, question: PolicyQuestion, denyOnly: boolean): EvaluationResult {
  const { policies, principal } = access
  const ofBucket = consultedPolicy(access, question)
  const { sure, doubtful: doubtfulDeny } = findDenial(policies, ofBucket, question, principal)
  if (sure) return sure.verdict
  if (access.owner) return unlessPossiblyDenied(doubtfulDeny, question, OWNER_ALLOWED)
  if (policies.length === 0 && !ofBucket) return NO_POLICIES
  if (denyOnly) return unlessPossiblyDenied(doubtfulDeny, question, NOTHING_DENIES)
  let allowance = NO_MATCHES
  for (const policy of policies) {
    allowance = addMatches(policy.statementsAbout(question.action).allow, question, principal, allowance)
    if (allowance.sure) return unlessPossiblyDenied(doubtfulDeny, question, allowance.sure.verdict)
  }
  if (ofBucket) allowance = addMatches(ofBucket.statementsAbout(question.action).allow, question, principal, allowance)
  if (allowance.sure) return unlessPossiblyDenied(doubtfulDeny, question, allowance.sure.verdict)
  return allowance.doubtful ? conditionalResult(allowance.doubtful, question) : NO_STATEMENT_MATCHES
}

function decideBySession(
  policy: CompiledPolicy,
  question: PolicyQuestion,
  principal: string | undefined,
): EvaluationResult {
  const { deny, allow } = policy.statementsAbout(question.action)
  const denial = addMatches(deny, question, principal, NO_MATCHES)
  if (denial.sure) return denial.sure.verdict
  const allowance = addMatches(allow, question, principal, NO_MATCHES)
  if (allowance.sure) return unlessPossiblyDenied(denial.doubtful, question, allowance.sure.verdict)
  return allowance.doubtful ? conditionalResult(allowance.doubtful, question) : NO_STATEMENT_MATCHES
}

/**
 * Actions on a bucket policy that the owner may always use, even if the policy denies them; otherwise a mistake could not be
 * corrected.
 */
const OWN_BUCKET_POLICY = new Set(['s3:GetBucketPolicy', 's3:PutBucketPolicy', 's3:DeleteBucketPolicy'])

/** Returns the bucket policy, if it applies to the caller. */
export function consultedPolicy(
  access: CallerAccess,
  { bucketPolicy, action }: PolicyQuestion,
): CompiledBucketPolicy | undefined {
  if (!bucketPolicy) return undefined
  const { bucketPolicyAppliesTo } = DIALECTS[bucketPolicy.dialect]
  if (bucketPolicyAppliesTo === 'anonymous' && access.principal !== undefined) return undefined
  return access.owner && !access.sessions && OWN_BUCKET_POLICY.has(action) ? undefined : bucketPolicy
}

/** The matching statement: one that certainly matches, else the first one that may. */
interface MatchingStatement {
  sure?: CompiledStatement
  doubtful?: CompiledStatement
}

const NO_MATCHES: MatchingStatement = {}

function findDenial(
  policies: readonly CompiledPolicy[],
  ofBucket: CompiledBucketPolicy | undefined,
  question: PolicyQuestion,
  principal: string | undefined,
): MatchingStatement {
  let found = NO_MATCHES
  for (const policy of policies) {
    found = addDenial(policy, question, principal, found)
    if (found.sure) return found
  }
  return ofBucket ? addDenial(ofBucket, question, principal, found) : found
}

function addDenial(
  policy: CompiledPolicy | CompiledBucketPolicy,
  question: PolicyQuestion,
  principal: string | undefined,
  before: MatchingStatement,
): MatchingStatement {
  return before.sure ? before : addMatches(policy.statementsAbout(question.action).deny, question, principal, before)
}

/** @param before result for other policies; an uncertain match is kept */
function addMatches(
  statements: readonly CompiledStatement[],
  question: PolicyQuestion,
  principal: string | undefined,
  before: MatchingStatement,
): MatchingStatement {
  let { doubtful } = before
  for (const statement of statements) {
    const match = matchStatement(statement, question, principal)
    if (match === YES) return { sure: statement }
    if (match === MAYBE) doubtful ??= statement
  }
  return doubtful === before.doubtful || !doubtful ? before : { doubtful }
}

function unlessPossiblyDenied(
  doubtful: CompiledStatement | undefined,
  question: PolicyQuestion,
  verdict: EvaluationResult,
): EvaluationResult {
  return doubtful ? conditionalResult(doubtful, question) : verdict
}

function conditionalResult(statement: CompiledStatement, question: PolicyQuestion): EvaluationResult {
  const dependsOn: ('condition' | 'resource')[] = []
  if (statement.matchesResource(question) === MAYBE) dependsOn.push('resource')
  if (statement.conditions.some((condition) => condition.holds(question) === MAYBE)) dependsOn.push('condition')
  return { decision: 'conditional', reason: 'statement', statement: statement.ref, dependsOn }
}
