import type { Effect } from '../document.ts'

export type Decision = 'allow' | 'deny' | 'conditional'

/**
 * - `statement` a statement decided: see `statement`
 * - `owner` the caller is the owner and nothing denies
 * - `deny-only` only denials were asked for, and nothing denies
 * - `no-match` no statement allows it
 * - `no-policy` the caller has no policy at all
 */
export type Reason = 'statement' | 'owner' | 'deny-only' | 'no-match' | 'no-policy'

/** Where a statement stands. */
export interface StatementRef {
  /** The name given when the policy was compiled. */
  policy: string
  /** From 0. */
  index: number
  sid?: string
  effect: Effect
}

export interface Verdict {
  /** `conditional` only where the request is not known in full: see `can`. */
  decision: Decision
  reason: Reason
  /** The statement that decided; for `conditional` the first that may. */
  statement?: StatementRef
  /** What a conditional verdict waits for. */
  dependsOn?: readonly ('condition' | 'resource')[]
}

/** The answer for a caller about whom nothing is known. */
export const NO_POLICY: Verdict = { decision: 'deny', reason: 'no-policy' }
export const NO_MATCH: Verdict = { decision: 'deny', reason: 'no-match' }
export const OWNER: Verdict = { decision: 'allow', reason: 'owner' }
export const DENY_ONLY: Verdict = { decision: 'allow', reason: 'deny-only' }
