import { englishReason, type PermissionReport, type Reason, reason } from '@stowage/contract'
import {
  type AccessExplanation,
  type AccessSource,
  explainAccessCalls,
} from '@stowage/contract/policies/explain-access'
import {
  bucketPolicyFromJson,
  type CallerAccess,
  type CompiledPolicy,
  compileBucketPolicy,
  compilePolicy,
  type Dialect,
  explainCapability,
  type PolicyDocument,
  S3_OPERATIONS,
  type S3OperationRights,
  type StatementExplanation,
} from '@stowage/iam-policy'
import type { FastifyInstance } from 'fastify'
import { toStorageError } from '../../lib/errors/storage-errors.ts'
import { type SessionContext, serve } from '../../lib/http/serve.ts'
import { readBucketPolicyText } from '../../lib/permissions/bucket-policies.ts'
import { detectPolicyDialect, statementReport } from '../../lib/permissions/caller-permissions.ts'
import { formatPolicyText } from '../../lib/permissions/policy-text.ts'
import { type AccessQuestion, readAccessQuestion } from './access-question.ts'
import { type HeldPolicy, readSubjectPolicies, type SubjectPolicies } from './subject-policies.ts'

export function explainAccessRoutes(app: FastifyInstance): void {
  serve(app, explainAccessCalls.explainAccess, async ({ body }, context) => {
    // Refuse an unknown action before anything is read.
    readAccessQuestion(body, {})
    const holder = await readSubjectPolicies(body.subject, context)
    const question = readAccessQuestion(body, identityConditions(holder))
    const bucketPolicy = await readPolicyOrReason(question, context)
    return explainAccess(holder, question, bucketPolicy, detectPolicyDialect(context.session.capabilities))
  })
}

/** Returns condition values that follow from the caller's identity. Those of a group apply to its members. */
function identityConditions({
  kind,
  user,
  groups,
  groupsUnknown,
  groupNamesUnknown,
  directory,
  owner,
}: SubjectPolicies): Record<string, readonly string[]> {
  if (kind === 'anonymous') return { 'aws:username': [], 'aws:userid': [], 'aws:principaltype': ['Anonymous'] }
  if (user === undefined) return {}
  if (!directory) {
    return {
      'aws:username': [user],
      'aws:userid': [user],
      ...(groupNamesUnknown ? {} : { 'aws:groups': groups }),
      ...(owner ? { 'aws:principaltype': ['Account'] } : {}),
    }
  }
  const { loginName } = directory
  return {
    'aws:userid': [user],
    'ldap:user': [user],
    ...(loginName === undefined ? {} : { 'aws:username': [loginName], 'ldap:username': [loginName] }),
    ...(groupsUnknown ? {} : { 'aws:groups': groups, 'ldap:groups': groups }),
  }
}

/** The policy of the bucket as JSON, or why it was not read; empty if there is no policy to read. */
type BucketPolicyText = { text: string } | { unread: NonNullable<AccessExplanation['bucketPolicyUnread']> }

async function readPolicyOrReason(
  { action, bucket }: AccessQuestion,
  context: SessionContext,
): Promise<BucketPolicyText> {
  if (bucket === undefined || bucket === '' || !action.startsWith('s3:')) return { text: '' }
  try {
    return { text: await readBucketPolicyText(bucket, context) }
  } catch (error) {
    const code = toStorageError(error)?.code
    if (code === 'AccessDenied') return { unread: 'denied' }
    if (code === 'NoSuchBucket' || code === 'InvalidBucketName') return { unread: 'no-bucket' }
    throw error
  }
}

/** Decides a question, and names the policy and statement that decided it. */
export function explainAccess(
  holder: SubjectPolicies,
  question: AccessQuestion,
  bucketPolicy: BucketPolicyText,
  dialect: Dialect,
): AccessExplanation {
  const { policies, embedded, user } = holder
  const ofBucket = 'text' in bucketPolicy && bucketPolicy.text !== '' ? bucketSource(question, bucketPolicy.text) : []
  const held = [...policies, ...ofBucket, ...(embedded ? [embedded] : [])]
  // The evaluator names a policy by its index among the sources.
  const compiled = (policy: HeldPolicy): CompiledPolicy =>
    compilePolicy(policy.document, { name: String(held.indexOf(policy)), dialect })
  const access: CallerAccess = {
    policies: policies.map(compiled),
    ...(embedded ? { sessions: [compiled(embedded)] } : {}),
    // No user has an empty name, so bucket policies that name users do not apply to groups.
    principal: holder.kind === 'anonymous' ? undefined : (user ?? ''),
    ...(holder.owner || holder.parentUnknown ? { owner: true } : {}),
    ...(holder.suspended ? { suspended: true } : {}),
  }
  const [source] = ofBucket
  const compiledBucketPolicy =
    source &&
    compileBucketPolicy(bucketPolicyFromJson(formatPolicyText(source.document)), {
      name: String(held.indexOf(source)),
      dialect,
    })
  const verdict = explainCapability(access, { ...question, bucketPolicy: compiledBucketPolicy })
  const { decision, statement, statements, action } = verdict
  return {
    ...decisionAnswer(holder, verdict),
    ...(action === question.action ? {} : { asked: action }),
    ...(decision !== 'allow' && isFiltered(question) ? { filtered: true } : {}),
    ...(statement && !holder.suspended
      ? { decidedBy: { source: Number(statement.policy), statement: statement.index } }
      : {}),
    ...(user === undefined ? {} : { user }),
    ...(holder.suspended ? { suspended: holder.suspended } : {}),
    ...('unread' in bucketPolicy && decision !== 'allow' ? { bucketPolicyUnread: bucketPolicy.unread } : {}),
    sources: held.map((policy, index) =>
      accessSource(
        policy,
        statements.filter((one) => Number(one.policy) === index),
        holder,
      ),
    ),
  }
}

/** Whether servers answer without this right, with a part of the list. */
function isFiltered({ action }: AccessQuestion): boolean {
  const rows: readonly S3OperationRights[] = Object.values(S3_OPERATIONS)
  return rows.some((row) => row.action === action && row.checked === 'filter')
}

function decisionAnswer(
  { suspended, groupsUnknown, parentUnknown }: SubjectPolicies,
  { decision, reason: why }: Pick<ReturnType<typeof explainCapability>, 'decision' | 'reason'>,
): Pick<AccessExplanation, 'decision' | 'reason'> {
  if (suspended) return { decision: 'deny', reason: 'suspended' }
  if (parentUnknown && decision !== 'deny') return { decision: 'conditional', reason: 'unknown-parent' }
  // A group may allow it, or deny it.
  if (groupsUnknown && !(decision === 'deny' && why === 'statement')) {
    return { decision: 'conditional', reason: 'unknown-groups' }
  }
  // The reason `deny-only` only occurs for another kind of question.
  return { decision, reason: why === 'deny-only' ? 'statement' : why }
}

function bucketSource({ bucket = '' }: AccessQuestion, text: string): HeldPolicy[] {
  const document = bucketPolicyFromJson(text)
  return [{ kind: 'bucket', name: bucket, direct: true, groups: [], found: true, document }]
}

function accessSource(
  policy: HeldPolicy,
  statements: readonly StatementExplanation[],
  holder: SubjectPolicies,
): AccessSource {
  const { document, ...source } = policy
  return {
    ...source,
    policy: formatPolicyText(document),
    statements: statements.map((statement) => reportFor(statement, document, holder)),
  }
}

function reportFor(statement: StatementExplanation, document: PolicyDocument, { kind }: SubjectPolicies) {
  const report: PermissionReport['statements'][number] = statementReport(statement, document)
  if (kind !== 'group' || statement.because.id !== 'other-user') return report
  const why: Reason = reason('other-user-than-group')
  return { ...report, because: englishReason(why) ?? why.id, reason: why }
}
