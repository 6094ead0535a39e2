import { setImmediate } from 'node:timers/promises'
import { type Capability, englishReason, type Input, type Output, type PermissionReport } from '@stowage/contract'
import {
  type CallerAccess,
  type CapabilityQuestion,
  compilePolicy,
  conditionValues,
  type Dialect,
  evaluateCapability,
  explainCapability,
  type PolicyDocument,
  policyFromJson,
  type StatementExplanation,
} from '@stowage/iam-policy'
import type { StorageClients } from '../storage/storage-clients.ts'

/** Returns the policy rules of the connected server. */
export function detectPolicyDialect(capabilities: readonly Capability[]): Dialect {
  if (capabilities.includes('aws-policies')) return 'stowage'
  return capabilities.includes('quota-fifo') ? 'minio-2021' : 'minio-2025'
}

/** A caller's effective policy, as a document and compiled. */
export interface CallerPolicy {
  policy: PolicyDocument
  access: CallerAccess
}

/** Returns what a caller may do, from the effective policy in the server's account info. */
export function callerFromAccountInfo(policyJson: unknown, dialect: Dialect): CallerPolicy {
  const policy = policyFromJson(policyJson)
  return { policy, access: { policies: [compilePolicy(policy, { name: 'effective', dialect })] } }
}

/** Returns the first of these actions that the caller's policy no longer allows. */
export async function lostRight(
  { madmin, session }: Pick<StorageClients, 'madmin' | 'session'>,
  actions: readonly string[],
): Promise<string | undefined> {
  if (actions.length === 0) return undefined
  const { policy } = await madmin.accountInfo({ buckets: false })
  const { access } = callerFromAccountInfo(policy, detectPolicyDialect(session.capabilities))
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
): Promise<Output<'hasPermission'>['permissions']> {
  const answers: Output<'hasPermission'>['permissions'] = []
  let begun = performance.now()
  for (const question of actions) {
    if (performance.now() - begun > SLICE_MS) {
      await setImmediate()
      signal?.throwIfAborted()
      begun = performance.now()
    }
    answers.push(answerTo(caller, question, explain))
  }
  return answers
}

function answerTo(
  { access, policy }: CallerPolicy,
  { id, action, bucket_name, prefix }: Input<'hasPermission'>['body']['actions'][number],
  explain: boolean,
): Output<'hasPermission'>['permissions'][number] {
  const question: CapabilityQuestion = {
    action,
    bucket: bucket_name || undefined,
    prefix,
    // Condition values of a listing of this folder.
    ...(prefix === undefined ? {} : { known: conditionValues({ 's3:prefix': [prefix] }) }),
  }
  const { decision } = evaluateCapability(access, question)
  const answer = { id, can: decision !== 'deny', sure: decision !== 'conditional' }
  return explain ? { ...answer, why: reportOn(access, policy, question) } : answer
}

function reportOn(access: CallerAccess, policy: PolicyDocument, question: CapabilityQuestion): PermissionReport {
  const { decision, reason, statements } = explainCapability(access, question)
  return {
    decision,
    // The other two reasons need an owner or a `deny-only` question, which do not occur here.
    reason: reason === 'no-match' || reason === 'no-policy' ? reason : 'statement',
    statements: statements.map((statement) => statementReport(statement, policy)),
  }
}

/** Describes the result of a statement for a person. @param policy that contains it */
export function statementReport(
  { index, sid, effect, matched, because }: StatementExplanation,
  policy: PolicyDocument,
): PermissionReport['statements'][number] {
  const { Action = [], NotAction = [], Resource = [], NotResource = [] } = policy.Statement[index] ?? {}
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
