import type { Effect } from '../language/document.ts'

export type EvaluationDecision = 'allow' | 'deny' | 'conditional'

/**
 * - `statement` a statement decided: see `statement`
 * - `owner` the caller is the owner and nothing denies
 * - `deny-only` only denials were asked for, and nothing denies
 * - `no-match` no statement matches
 * - `no-policy` the caller has no policy at all
 */
export type EvaluationReason = 'statement' | 'owner' | 'deny-only' | 'no-match' | 'no-policy'

/** Position of a statement. */
export interface StatementRef {
  /** The name given when the policy was compiled. */
  policy: string
  /** Index from 0. */
  index: number
  sid?: string
  effect: Effect
}

export interface EvaluationResult {
  /** `conditional` only if the request is not fully known: see `evaluateCapability`. */
  decision: EvaluationDecision
  reason: EvaluationReason
  /** The statement that decided; for `conditional`, the first one that may. */
  statement?: StatementRef
  /** What a conditional verdict depends on. */
  dependsOn?: readonly ('condition' | 'resource')[]
}

/** The verdict for a caller without policies. */
export const NO_POLICIES: EvaluationResult = { decision: 'deny', reason: 'no-policy' }
export const NO_STATEMENT_MATCHES: EvaluationResult = { decision: 'deny', reason: 'no-match' }
export const OWNER_ALLOWED: EvaluationResult = { decision: 'allow', reason: 'owner' }
export const NOTHING_DENIES: EvaluationResult = { decision: 'allow', reason: 'deny-only' }
