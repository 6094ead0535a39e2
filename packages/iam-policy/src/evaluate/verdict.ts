import type { Effect } from '../document.ts'

export type Decision = 'allow' | 'deny' | 'conditional'

/**
 * - `statement` a statement decided: see `statement`
 * - `owner` the caller is the owner and nothing denies
 * - `deny-only` only denials were asked for, and nothing denies
 * - `no-match` no statement matches
 * - `no-policy` the caller has no policy at all
 */
export type Reason = 'statement' | 'owner' | 'deny-only' | 'no-match' | 'no-policy'

/** Position of a statement. */
export interface StatementRef {
  /** The name given when the policy was compiled. */
  policy: string
  /** Index from 0. */
  index: number
  sid?: string
  effect: Effect
}

export interface Verdict {
  /** `conditional` only if the request is not fully known: see `can`. */
  decision: Decision
  reason: Reason
  /** The statement that decided; for `conditional`, the first one that may. */
  statement?: StatementRef
  /** What a conditional verdict depends on. */
  dependsOn?: readonly ('condition' | 'resource')[]
}

/** The verdict for a caller without policies. */
export const NO_POLICY: Verdict = { decision: 'deny', reason: 'no-policy' }
export const NO_MATCH: Verdict = { decision: 'deny', reason: 'no-match' }
export const OWNER: Verdict = { decision: 'allow', reason: 'owner' }
export const DENY_ONLY: Verdict = { decision: 'allow', reason: 'deny-only' }
