import { setImmediate } from 'node:timers/promises'
import { type Capability, englishReason, type Input, type Output, type PermissionReport } from '@stowage/contract'
import {
  type ActionName,
  actionInfo,
  type BucketPolicyDocument,
  type CallerAccess,
  type CapabilityQuestion,
  compileBucketPolicy,
  compilePolicy,
  conditionValues,
  type Dialect,
  evaluateCapability,
  explainCapability,
  type PolicyDocument,
  policyFromJson,
  type Statement,
  type StatementExplanation,
  toActionName,
} from '@stowage/iam-policy'
import type { AccountInfo } from '@stowage/madmin'
import type { StorageClients } from '../storage/storage-clients.ts'

/** Returns the policy rules of the connected server. */
export function detectPolicyDialect(capabilities: readonly Capability[]): Dialect {
  if (capabilities.includes('aws-policies')) return 'stowage'
  return capabilities.includes('quota-fifo') ? 'minio-2021' : 'minio-2025'
}

/** What a caller's policies allow. A bucket policy may decide otherwise. */
export interface CallerPolicy {
  /** The effective policy; for a session with its own policy, that one. */
  policy: PolicyDocument
  access: CallerAccess
  /** What only the statements that allow something would give. */
  allowing: CallerAccess
  dialect: Dialect
  /** The documents in `access`, by the names of the compiled policies. */
  documents: ReadonlyMap<string, PolicyDocument>
}

/** Returns what a caller may do, from the server's account info. */
export function callerFromAccountInfo(
  { name, policy: reported, rights }: Pick<AccountInfo, 'policy' | 'rights'> & Partial<Pick<AccountInfo, 'name'>>,
  dialect: Dialect,
): CallerPolicy {
  const effective = policyFromJson(rights?.policy ?? reported)
  const sessions = (rights?.sessions ?? []).map((session) => policyFromJson(session))
  const documents = new Map([
    ['effective', effective],
    ...sessions.map((session, n) => [`session ${n + 1}`, session] as const),
  ])
  const accessBy = (kept: (statement: Statement) => boolean): CallerAccess => {
    const compiled = [...documents].map(([policy, document]) =>
      compilePolicy({ ...document, Statement: document.Statement.filter(kept) }, { name: policy, dialect }),
    )
    return {
      policies: compiled.slice(0, 1),
      ...(sessions.length > 0 ? { sessions: compiled.slice(1) } : {}),
      ...(rights?.owner ? { owner: true } : {}),
      ...(name === undefined ? {} : { principal: name }),
    }
  }
  return {
    policy: policyFromJson(reported),
    access: accessBy(() => true),
    allowing: accessBy(({ Effect }) => Effect === 'Allow'),
    dialect,
    documents,
  }
}

/** Returns the first of these actions that the caller's policy no longer allows. */
export async function lostRight(
  { madmin, session }: Pick<StorageClients, 'madmin' | 'session'>,
  actions: readonly ActionName[],
): Promise<ActionName | undefined> {
  if (actions.length === 0) return undefined
  const info = await madmin.accountInfo({ buckets: false })
  const { access } = callerFromAccountInfo(info, detectPolicyDialect(session.capabilities))
  return actions.find((action) => evaluateCapability(access, { action }).decision === 'deny')
}

/** Maximum time that the questions of one caller may block others (ms). */
const SLICE_MS = 10

/**
 * Answers the questions in order. Pauses regularly, so that long lists do not block other callers.
 * @throws if the signal is aborted
 */
export async function checkPermissions(
  caller: CallerPolicy,
  { actions, explain = false }: Input<'hasPermission'>['body'],
  signal?: AbortSignal,
  bucketPolicies: BucketPolicies = new Map(),
): Promise<Output<'hasPermission'>['permissions']> {
  const answers: Output<'hasPermission'>['permissions'] = []
  let begun = performance.now()
  for (const question of actions) {
    if (performance.now() - begun > SLICE_MS) {
      await setImmediate()
      signal?.throwIfAborted()
      begun = performance.now()
    }
    answers.push(answerTo(caller, question, explain, bucketPolicies))
  }
  return answers
}

/** The policies of buckets, by name. `unknown`: the bucket may have one, but it was not read. */
export type BucketPolicies = ReadonlyMap<string, BucketPolicyDocument | 'unknown'>

function answerTo(
  caller: CallerPolicy,
  { id, action: text, bucket_name, prefix }: Input<'hasPermission'>['body']['actions'][number],
  explain: boolean,
  bucketPolicies: BucketPolicies,
): Output<'hasPermission'>['permissions'][number] {
  const action = toActionName(text)
  // No request needs it, so no server allows it.
  if (action === undefined) return { id, can: false, sure: true }
  const bucket = actionInfo(action)?.level === 'account' ? undefined : bucket_name || undefined
  const bucketPolicy = bucket === undefined ? undefined : bucketPolicies.get(bucket)
  const isUnknown = bucketPolicy === 'unknown'
  const question: CapabilityQuestion = {
    action,
    bucket,
    prefix,
    ...(bucketPolicy === undefined || isUnknown
      ? {}
      : { bucketPolicy: compileBucketPolicy(bucketPolicy, { name: BUCKET_POLICY, dialect: caller.dialect }) }),
    // Condition values of a listing of this folder.
    ...(prefix === undefined ? {} : { known: conditionValues({ 's3:prefix': [prefix] }) }),
  }
  const { decision } = evaluateCapability(caller.access, question)
  const answer = { id, can: decision !== 'deny', sure: decision !== 'conditional' && !isUnknown }
  if (!explain) return answer
  const documents = new Map<string, PolicyDocument>(caller.documents)
  if (bucketPolicy !== undefined && !isUnknown) documents.set(BUCKET_POLICY, bucketPolicy)
  return { ...answer, why: reportOn(caller.access, documents, question) }
}

const BUCKET_POLICY = 'bucket policy'

function reportOn(
  access: CallerAccess,
  documents: ReadonlyMap<string, PolicyDocument>,
  question: CapabilityQuestion,
): PermissionReport {
  const { decision, reason, statements } = explainCapability(access, question)
  return {
    decision,
    // The other reasons need a `deny-only` question or an owner, whom no statement has to allow anything.
    reason: reason === 'no-match' || reason === 'no-policy' ? reason : 'statement',
    statements: statements.map((statement) => statementReport(statement, documents.get(statement.policy))),
  }
}

/** Describes the result of a statement for a person. @param policy that contains it */
export function statementReport(
  { index, sid, effect, matched, because }: StatementExplanation,
  policy: PolicyDocument | undefined,
): PermissionReport['statements'][number] {
  const { Action = [], NotAction = [], Resource = [], NotResource = [] } = policy?.Statement[index] ?? {}
  return {
    index,
    ...(sid ? { sid } : {}),
    effect,
    matched,
    because: englishReason(because) ?? because.id,
    reason: because,
    actions: [...Action, ...NotAction.map((action) => `not ${action}`)],
    resources: [...Resource, ...NotResource.map((resource) => `not ${resource}`)],
  }
}
