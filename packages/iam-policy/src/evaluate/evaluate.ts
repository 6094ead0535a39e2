import { DIALECTS, type Rules } from '../dialects.ts'
import { MAYBE, YES } from '../tri.ts'
import type { CompiledBucketPolicy, CompiledPolicy, CompiledStatement, Question } from './compiled.ts'
import { type AccessRequest, type CapabilityQuestion, openQuestionOf, questionOf } from './question.ts'
import { matchStatement } from './statement.ts'
import { DENY_ONLY, NO_MATCH, NO_POLICY, OWNER, type Verdict } from './verdict.ts'

/** What a caller holds. One object serves all of its requests. */
export interface Access {
  /** The policies of the caller: its own and those of its groups. None for an anonymous caller. */
  policies: readonly CompiledPolicy[]
  /**
   * The policies embedded in the session or service account, and in those that it was made with: each has to allow as
   * well, whatever else allows. Absent: none.
   */
  sessions?: readonly CompiledPolicy[] | undefined
  /** Root, and what is derived from root: allowed what nothing denies. */
  owner?: boolean | undefined
  /** The user whom policies of buckets know the caller as. Undefined: an anonymous caller. */
  principal?: string | undefined
  /** Nothing is allowed, whatever policies say: the user is disabled, gone, or in a disabled group. */
  suspended?: boolean | undefined
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
  if (access.suspended) return NO_POLICY
  const verdict = decideAction(access, question, denyOnly)
  if (question.action === 's3:ListBucketVersions') return orByListing(verdict, access, question, denyOnly)
  if (question.action === 's3:DeleteObject' && verdict.decision !== 'deny') {
    return unlessVersionDenied(verdict, access, question)
  }
  return verdict
}

/** The right to list a bucket includes its versions, unless the dialect finds a Deny of exactly that action. */
function orByListing(verdict: Verdict, access: Access, question: Question, denyOnly: boolean): Verdict {
  if (verdict.decision === 'allow') return verdict
  const listing = decideAction(access, { ...question, action: 's3:ListBucket' }, denyOnly)
  if (listing.decision === 'deny') return verdict
  if (rulesOf(access, question).listingOverrulesDeniedVersions) return listing
  const denial = findDenial(access.policies, consultedPolicy(access, question), question, access.principal)
  const { sure, doubtful } = (access.sessions ?? []).reduce(
    (found, policy) => denialOf(policy, question, access.principal, found),
    denial,
  )
  return sure ? verdict : unless(doubtful, question, listing)
}

/** Deleting a version must not be denied on its own; a session policy has to allow it on its own. */
function unlessVersionDenied(verdict: Verdict, access: Access, question: Question): Verdict {
  if (!question.values.get('s3:versionid')?.[0]) return verdict
  const byBucketPolicy = access.principal === undefined && question.bucketPolicy !== undefined
  if (byBucketPolicy && !rulesOf(access, question).bucketPolicyDeniesVersions) return verdict
  const version = decideAction(access, { ...question, action: 's3:DeleteObjectVersion' }, true)
  return version.decision === 'allow' ? verdict : version
}

function rulesOf(access: Access, question: Question): Rules {
  return DIALECTS[(access.policies[0] ?? access.sessions?.[0] ?? question.bucketPolicy)?.dialect ?? 'stowage']
}

function decideAction(access: Access, question: Question, denyOnly: boolean): Verdict {
  const base = decideByAll(access, question, denyOnly)
  if (!access.sessions || base.decision === 'deny') return base
  let verdict = base
  for (const policy of access.sessions) {
    // Neither being the owner nor asking for denials only spares anybody from its session policy.
    const session = decideBySession(policy, question, access.principal)
    if (session.decision === 'deny') return session
    if (session.decision === 'conditional') verdict = session
  }
  return verdict
}

/** As AWS decides within one account: a denial anywhere counts, and so does an allowance anywhere. */
function decideByAll(access: Access, question: Question, denyOnly: boolean): Verdict {
  const { policies, principal } = access
  const ofBucket = consultedPolicy(access, question)
  const { sure, doubtful: doubtfulDeny } = findDenial(policies, ofBucket, question, principal)
  if (sure) return sure.verdict
  if (access.owner) return unless(doubtfulDeny, question, OWNER)
  if (policies.length === 0 && !ofBucket) return NO_POLICY
  if (denyOnly) return unless(doubtfulDeny, question, DENY_ONLY)
  let allowance = NO_MATCHES
  for (const policy of policies) {
    allowance = matchesOf(policy.about(question.action).allow, question, principal, allowance)
    if (allowance.sure) return unless(doubtfulDeny, question, allowance.sure.verdict)
  }
  if (ofBucket) allowance = matchesOf(ofBucket.about(question.action).allow, question, principal, allowance)
  if (allowance.sure) return unless(doubtfulDeny, question, allowance.sure.verdict)
  return allowance.doubtful ? conditional(allowance.doubtful, question) : NO_MATCH
}

function decideBySession(policy: CompiledPolicy, question: Question, principal: string | undefined): Verdict {
  const { deny, allow } = policy.about(question.action)
  const denial = matchesOf(deny, question, principal, NO_MATCHES)
  if (denial.sure) return denial.sure.verdict
  const allowance = matchesOf(allow, question, principal, NO_MATCHES)
  if (allowance.sure) return unless(denial.doubtful, question, allowance.sure.verdict)
  return allowance.doubtful ? conditional(allowance.doubtful, question) : NO_MATCH
}

/** What the owner does to the policy of a bucket, even to one that denies it: otherwise a mistake would be forever. */
const OWN_BUCKET_POLICY = new Set(['s3:GetBucketPolicy', 's3:PutBucketPolicy', 's3:DeleteBucketPolicy'])

/** The policy of the bucket, if it has a say about the caller. */
export function consultedPolicy(access: Access, { bucketPolicy, action }: Question): CompiledBucketPolicy | undefined {
  if (!bucketPolicy) return undefined
  const { bucketPolicyAppliesTo } = DIALECTS[bucketPolicy.dialect]
  if (bucketPolicyAppliesTo === 'anonymous' && access.principal !== undefined) return undefined
  return access.owner && !access.sessions && OWN_BUCKET_POLICY.has(action) ? undefined : bucketPolicy
}

/** Statements that match: one that does for certain, else the first of those that may. */
interface Matches {
  sure?: CompiledStatement
  doubtful?: CompiledStatement
}

const NO_MATCHES: Matches = {}

function findDenial(
  policies: readonly CompiledPolicy[],
  ofBucket: CompiledBucketPolicy | undefined,
  question: Question,
  principal: string | undefined,
): Matches {
  let found = NO_MATCHES
  for (const policy of policies) {
    found = denialOf(policy, question, principal, found)
    if (found.sure) return found
  }
  return ofBucket ? denialOf(ofBucket, question, principal, found) : found
}

function denialOf(
  policy: CompiledPolicy | CompiledBucketPolicy,
  question: Question,
  principal: string | undefined,
  before: Matches,
): Matches {
  return before.sure ? before : matchesOf(policy.about(question.action).deny, question, principal, before)
}

/** @param before what was found in other policies, of which a doubtful one is kept */
function matchesOf(
  statements: readonly CompiledStatement[],
  question: Question,
  principal: string | undefined,
  before: Matches,
): Matches {
  let { doubtful } = before
  for (const statement of statements) {
    const match = matchStatement(statement, question, principal)
    if (match === YES) return { sure: statement }
    if (match === MAYBE) doubtful ??= statement
  }
  return doubtful === before.doubtful || !doubtful ? before : { doubtful }
}

function unless(doubtful: CompiledStatement | undefined, question: Question, verdict: Verdict): Verdict {
  return doubtful ? conditional(doubtful, question) : verdict
}

function conditional(statement: CompiledStatement, question: Question): Verdict {
  const dependsOn: ('condition' | 'resource')[] = []
  if (statement.matchesResource(question) === MAYBE) dependsOn.push('resource')
  if (statement.conditions.some((condition) => condition.holds(question) === MAYBE)) dependsOn.push('condition')
  return { decision: 'conditional', reason: 'statement', statement: statement.ref, dependsOn }
}
